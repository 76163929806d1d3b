import SwiftSyntax
import SwiftSyntaxBuilder

/// The type of a stored property, as far as its spelling tells.
struct PropertyType {
  /// The type as written, with `Self` spelled out.
  let spelling: String
  /// The type that an optional wraps, or the type itself.
  let wrapped: String
  let isOptional: Bool
  /// The way in which the spelling lets the wrapped type be stored in a column.
  let storage: Storage

  enum Storage {
    /// A name. Only the compiler knows whether it is a column type.
    case named
    /// A collection, which can be stored as JSON.
    case collection
    /// A type that can't be stored: a tuple, a function, an existential, or an optional of an optional.
    case impossible
    /// `T!`
    case implicitlyUnwrapped
  }

  /// Whether this is the type of a key that SQLite assigns.
  var isOptionalInt64: Bool {
    isOptional && unqualifiedName == "Int64"
  }

  /// Whether the wrapped type has a name that readers know as a column type of the library.
  var isWellKnown: Bool {
    Self.wellKnownNames.contains(unqualifiedName)
  }

  /// Whether the wrapped type can be the named one, perhaps under an alias.
  func canBe(_ name: String) -> Bool {
    storage == .named && (unqualifiedName == name || !isWellKnown)
  }

  /// The wrapped type's name, without its module if the type comes with Swift.
  var unqualifiedName: String {
    for module in ["Swift.", "Foundation."] where wrapped.hasPrefix(module) {
      return String(wrapped.dropFirst(module.count))
    }
    return wrapped
  }

  private static let wellKnownNames: Set<String> = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double",
    "Float", "String", "Data", "Date", "UUID", "URL", "Decimal",
  ]

  /// The type that an initial value gives to a property, judged by its syntax alone.
  ///
  /// - Parameter record: The name of the record, whose own statics can have any type.
  init?(of value: ExprSyntax, in record: String) {
    guard let name = value.literalTypeName ?? value.namedType, name != record else { return nil }
    self.init("\(raw: name)" as TypeSyntax, in: record)
  }

  /// - Parameter record: The name of the record, which replaces `Self`.
  init(_ type: TypeSyntax, in record: String) {
    let type = SelfRewriter(replacement: record).rewrite(type.trimmed.detached).cast(TypeSyntax.self)
    let bare = type.withoutParentheses
    spelling = type.trimmedDescription
    if let inner = bare.optionalWrapped?.withoutParentheses {
      isOptional = true
      wrapped = inner.trimmedDescription
      storage = inner.optionalWrapped == nil ? inner.storage : .impossible
    } else {
      isOptional = false
      wrapped = bare.trimmedDescription
      storage = bare.storage
    }
  }
}

/// Replaces `Self`, which means another type inside the types that the macros generate.
private final class SelfRewriter: SyntaxRewriter {
  let replacement: String

  init(replacement: String) {
    self.replacement = replacement
    super.init()
  }

  override func visit(_ token: TokenSyntax) -> TokenSyntax {
    guard token.tokenKind == .keyword(.Self) else { return token }
    return token.with(\.tokenKind, .identifier(replacement))
  }
}

extension TypeSyntax {
  /// The type without surrounding parentheses.
  var withoutParentheses: TypeSyntax {
    guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let element = tuple.elements.first,
      element.firstName == nil, element.ellipsis == nil
    else { return self }
    return element.type.withoutParentheses
  }

  /// The last part of a type's name and its generic arguments, as in `Swift.Optional<Int>`.
  var nameAndArguments: (name: String, arguments: GenericArgumentListSyntax?)? {
    if let type = self.as(IdentifierTypeSyntax.self) {
      return (type.name.text, type.genericArgumentClause?.arguments)
    }
    if let type = self.as(MemberTypeSyntax.self) {
      return (type.name.text, type.genericArgumentClause?.arguments)
    }
    return nil
  }

  /// The types in `Name<…>`, if this type has that name.
  func genericArguments(of name: String, count: Int) -> [TypeSyntax]? {
    guard let (ownName, arguments) = nameAndArguments, ownName == name, let arguments, arguments.count == count
    else { return nil }
    let types = arguments.compactMap { $0.argument.as(TypeSyntax.self) }
    return types.count == count ? types : nil
  }

  fileprivate var optionalWrapped: TypeSyntax? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
    return genericArguments(of: "Optional", count: 1)?.first
  }

  fileprivate var storage: PropertyType.Storage {
    switch self.as(TypeSyntaxEnum.self) {
    case .arrayType, .dictionaryType, .inlineArrayType:
      return .collection
    case .implicitlyUnwrappedOptionalType:
      return .implicitlyUnwrapped
    case .identifierType, .memberType:
      guard let (name, arguments) = nameAndArguments else { return .named }
      if name == "Any" || name == "AnyObject" { return .impossible }
      let isCollection = arguments != nil && ["Array", "Set", "Dictionary", "ContiguousArray"].contains(name)
      return isCollection ? .collection : .named
    default:
      return .impossible
    }
  }
}
