import SwiftSyntax
import SwiftSyntaxBuilder

/// Keeps a user's type named `Owner` apart from `Fields.Owner`, which hides it inside `Fields`.
///
/// A user may well have a record `Owner`, for example the owner of cars. `_Codings` has an alias `_Owner` for it, which
/// nothing hides.
final class OwnerRewriter: SyntaxRewriter {
  /// The type, as it must be written inside `Fields`.
  static func rewrite(_ type: String) -> String {
    guard type.contains("Owner") else { return type }
    return OwnerRewriter().rewrite(TypeSyntax(stringLiteral: type)).description
  }

  override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
    let node = super.visit(node).cast(IdentifierTypeSyntax.self)
    guard node.name.text == "Owner" else { return TypeSyntax(node) }
    return TypeSyntax(node.with(\.name.tokenKind, .identifier("_Codings._Owner")))
  }
}
