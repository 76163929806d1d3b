import SwiftSyntax

/// A stored property of a record, and the column that stores it.
struct ColumnDeclaration {
  /// The property as written, with backticks if it has any.
  let identifier: String
  /// The name in SQL.
  let sqlName: String
  let access: AccessLevel
  let type: PropertyType
  let coding: Coding
  let defaultValue: Default?
  /// The collation as written.
  let collation: String?
  let reference: Reference?
  let isMarkedAsKey: Bool

  // Where problems that concern several columns are reported.
  let nameNode: Syntax
  let typeNode: Syntax?

  /// The name of the property.
  var property: String { identifier.withoutBackticks }

  enum Default {
    /// The initial value as written.
    case value(String)
    /// A string literal with an SQL expression.
    case sql(String)
  }

  /// The arguments of `@References` as written.
  struct Reference {
    let record: String
    let onDelete: String?
    let onUpdate: String?
  }

  enum Coding {
    /// The type is its own coding.
    case own
    /// The name of a coding that comes with the library, and the type that it stores.
    case named(NamedCoding)
    /// A type that the user names.
    case custom(String)
  }
}

/// The codings that an attribute chooses by a short name.
enum NamedCoding: String, CaseIterable {
  case json, dateText, iso8601, unixSeconds, unixMilliseconds, uuidText, lowercaseUUIDText

  func type(of wrapped: String) -> String {
    switch self {
    case .json: "Sanderling.JSONCoding<\(wrapped)>"
    case .dateText: "Sanderling.DateTextCoding"
    case .iso8601: "Sanderling.ISO8601Coding"
    case .unixSeconds: "Sanderling.UnixSecondsCoding"
    case .unixMilliseconds: "Sanderling.UnixMillisecondsCoding"
    case .uuidText: "Sanderling.UUIDTextCoding"
    case .lowercaseUUIDText: "Sanderling.LowercaseUUIDTextCoding"
    }
  }

  /// The only type that can be stored so, or nil for any.
  var storedType: String? {
    switch self {
    case .json: nil
    case .dateText, .iso8601, .unixSeconds, .unixMilliseconds: "Date"
    case .uuidText, .lowercaseUUIDText: "UUID"
    }
  }
}

extension ColumnDeclaration {
  /// The coding of the property's values.
  var codingType: String {
    let inner: String
    switch coding {
    case .own: return type.expression
    case .named(let coding): inner = coding.type(of: type.wrapped)
    case .custom(let type): inner = type
    }
    return type.isOptional ? "Sanderling.OptionalCoding<\(inner)>" : inner
  }
}
