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
  /// The events at which the database sets the column, as written.
  let touch: String?
  let reference: Reference?
  let isMarkedAsKey: Bool
  /// The kinds of search, as expressions; none where the property is not searchable.
  let searchKinds: [String]

  // The node at which problems that concern several columns are reported.
  let nameNode: Syntax
  let typeNode: Syntax?
  /// The directive that makes the compiler report errors in the generated code at the property's line.
  let location: String?

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
    /// A coding that comes with the library.
    case named(NamedCoding)
    /// A type that the user names.
    case custom(String)
  }
}

/// The codings that an attribute chooses by a short name.
enum NamedCoding: String, CaseIterable {
  case json, dateText, iso8601, unixSeconds, unixMilliseconds, decimalNumber, uuidText, lowercaseUUIDText

  func type(of wrapped: String) -> String {
    switch self {
    case .json: "Sanderling.JSONCoding<\(wrapped)>"
    case .dateText: "Sanderling.DateTextCoding"
    case .iso8601: "Sanderling.ISO8601Coding"
    case .unixSeconds: "Sanderling.UnixSecondsCoding"
    case .unixMilliseconds: "Sanderling.UnixMillisecondsCoding"
    case .decimalNumber: "Sanderling.DecimalNumberCoding"
    case .uuidText: "Sanderling.UUIDTextCoding"
    case .lowercaseUUIDText: "Sanderling.LowercaseUUIDTextCoding"
    }
  }

  /// The only type that can be stored so, or nil for any.
  var storedType: String? {
    switch self {
    case .json: nil
    case .dateText, .iso8601, .unixSeconds, .unixMilliseconds: "Date"
    case .decimalNumber: "Decimal"
    case .uuidText, .lowercaseUUIDText: "UUID"
    }
  }
}

extension ColumnDeclaration {
  /// The type that codes the property's values.
  ///
  /// The macro can't check whether the coding fits the type, so the compiler does. `_OwnCoding` and `_CheckedCoding`
  /// are aliases of their first argument that fail to compile unless the type fits.
  var codingType: String {
    let inner: String
    switch coding {
    case .own: inner = type.isWellKnown ? type.wrapped : "Sanderling._OwnCoding<\(type.wrapped)>"
    case .named(let coding) where coding.storedType == nil || coding.storedType == type.unqualifiedName:
      inner = coding.type(of: type.wrapped)
    case .named(let coding): inner = "Sanderling._CheckedCoding<\(coding.type(of: type.wrapped)), \(type.wrapped)>"
    case .custom(let coding): inner = "Sanderling._CheckedCoding<\(coding), \(type.wrapped)>"
    }
    guard type.isOptional else { return inner }
    if case .own = coding { return "Swift.Optional<\(inner)>" }
    return "Sanderling.OptionalCoding<\(inner)>"
  }

  /// Whether the property's type codes itself.
  var isOwnCoding: Bool {
    if case .own = coding { true } else { false }
  }

  /// Whether the coding may fail the compiler's check.
  var isChecked: Bool {
    switch coding {
    case .own: !type.isWellKnown
    case .named(let coding): coding.storedType != type.unqualifiedName
    case .custom: true
    }
  }
}
