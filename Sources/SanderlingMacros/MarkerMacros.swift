import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// An attribute that tells `@Record` something about a property, and that expands to nothing itself.
public protocol MarkerMacro: PeerMacro {}

extension MarkerMacro {
  public static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    var diagnostics = Diagnostics()
    check(node, on: declaration, in: context.lexicalContext, &diagnostics)
    diagnostics.all.forEach(context.diagnose)
    return []
  }

  private static func check(
    _ node: AttributeSyntax, on declaration: some DeclSyntaxProtocol, in lexicalContext: [Syntax],
    _ diagnostics: inout Diagnostics
  ) {
    let name = node.name ?? node.attributeName.trimmedDescription
    let removal = FixIt.remove(node, .remove("@\(name)"))
    let variables = declaration.as(VariableDeclSyntax.self).map { declaration in
      declaration.bindings.map { Variable(declaration: declaration, binding: $0) }
    }
    guard let variables, variables.allSatisfy({ !$0.isStatic && !$0.isComputed }) else {
      return diagnostics.report(.notAColumn(attribute: name), at: node, removal)
    }
    let owner = lexicalContext.first.flatMap { $0.asProtocol((any WithAttributesSyntax).self) }
    if owner?.attributes.attribute(named: "Record") == nil {
      diagnostics.report(.outsideOfRecord(attribute: name), at: node, removal)
    }
  }
}

/// `@Stored`: chooses the column of a property.
public struct StoredMacro: MarkerMacro {}

/// `@References`: declares a foreign key.
public struct ReferencesMacro: MarkerMacro {}

/// `@Searchable`: has a folded form of a text kept in the table.
public struct SearchableMacro: MarkerMacro {}

/// `@PrimaryKey`: marks a property of the key.
public struct PrimaryKeyMacro: MarkerMacro {}
