import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Projection(of:)`: makes a struct the selected columns and aggregates of a record.
public struct ProjectionMacro {
  /// The expansion is formatted already.
  public static var formatMode: FormatMode { .disabled }
}

extension ProjectionMacro: MemberMacro {
  public static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    var diagnostics = Diagnostics()
    let projection = ProjectionDeclaration(declaration, attribute: node, in: context, &diagnostics)
    // The expansion of the extension reads the same declaration. Only this one reports, so each problem is reported
    // once.
    diagnostics.all.forEach(context.diagnose)
    return projection.map { ProjectionExpansion(projection: $0).members.map { DeclSyntax("\(raw: $0)") } } ?? []
  }
}

extension ProjectionMacro: ExtensionMacro {
  public static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var diagnostics = Diagnostics()
    let projection = ProjectionDeclaration(declaration, attribute: node, in: context, &diagnostics)
    guard let projection else { return [] }
    let expansion = ProjectionExpansion(projection: projection, isComplete: !diagnostics.hasErrors)
    return [try expansion.conformance(of: type, to: protocols)]
  }
}
