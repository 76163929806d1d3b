import SwiftSyntax

/// The code that may use a declaration, ordered from the fewest places to the most.
enum AccessLevel: Int, Comparable {
  case `private`, `fileprivate`, `internal`, `package`, `public`

  /// The level that the modifiers spell, or `standard` when they spell none.
  ///
  /// `private(set)` restricts the setter only, and the macros generate no setters.
  init(_ modifiers: DeclModifierListSyntax, standard: AccessLevel = .internal) {
    let levels = modifiers.lazy.filter { $0.detail == nil }.compactMap { modifier -> AccessLevel? in
      switch modifier.name.tokenKind {
      case .keyword(.private): .private
      case .keyword(.fileprivate): .fileprivate
      case .keyword(.internal): .internal
      case .keyword(.package): .package
      case .keyword(.public), .keyword(.open): .public
      default: nil
      }
    }
    self = levels.first ?? standard
  }

  /// The level of a type's declaration. A modifier of the surrounding extension applies to the type too. Inside a
  /// `private` or `fileprivate` type, the level is at most `fileprivate`.
  init(ofType modifiers: DeclModifierListSyntax, in lexicalContext: [Syntax]) {
    let extended = lexicalContext.first?.as(ExtensionDeclSyntax.self)
    let own = AccessLevel(modifiers, standard: extended.map { AccessLevel($0.modifiers) } ?? .internal)
    let enclosing = lexicalContext.compactMap {
      $0.asProtocol((any DeclGroupSyntax).self).map { AccessLevel($0.modifiers) }
    }
    self = enclosing.contains { $0 <= .fileprivate } ? min(own, .fileprivate) : own
  }

  /// The modifier of a generated member, followed by a space.
  ///
  /// `private` becomes `fileprivate`, because the generated types and the extension need to see each other's members.
  var modifier: String {
    switch self {
    case .private, .fileprivate: "fileprivate "
    case .internal: ""
    case .package: "package "
    case .public: "public "
    }
  }

  static func < (lhs: AccessLevel, rhs: AccessLevel) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}
