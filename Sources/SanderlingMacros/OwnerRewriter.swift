import SwiftSyntax
import SwiftSyntaxBuilder

/// Keeps a user's type named `Owner` apart from `Fields.Owner`, which hides it inside of `Fields`.
///
/// A record `Owner` of cars is plausible enough. `_Codings` repeats its name as `_Owner`, where nothing hides it.
final class OwnerRewriter: SyntaxRewriter {
  /// The type, spelled for a place inside of `Fields`.
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
