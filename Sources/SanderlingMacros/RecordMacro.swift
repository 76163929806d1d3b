import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// `@Record`: makes a struct the rows of a table.
public struct RecordMacro {
  /// The expansion is formatted already.
  public static var formatMode: FormatMode { .disabled }
}

extension RecordMacro: MemberMacro {
  public static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    var diagnostics = Diagnostics()
    let record = RecordDeclaration(declaration, attribute: node, in: context, &diagnostics)
    // The expansion of the extension reads the same declaration. Only this one reports, so each problem is reported
    // once.
    diagnostics.all.forEach(context.diagnose)
    return record.map { RecordMembers(record: $0, isComplete: !diagnostics.hasErrors).declarations } ?? []
  }
}

extension RecordMacro: ExtensionMacro {
  public static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var diagnostics = Diagnostics()
    let record = RecordDeclaration(declaration, attribute: node, in: context, &diagnostics)
    guard let record else { return [] }
    let conformance = RecordConformance(record: record, isComplete: !diagnostics.hasErrors)
    return [try conformance.declaration(of: type, conformingTo: protocols)]
  }
}
