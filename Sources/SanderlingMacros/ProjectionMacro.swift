import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
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
    let projection = ProjectionDeclaration(
      declaration, attribute: node, lexicalContext: context.lexicalContext, &diagnostics)
    // The extension reads the same declaration: whoever reported there too would report everything twice.
    diagnostics.all.forEach(context.diagnose)
    return projection.map { $0.members.map { DeclSyntax("\(raw: $0)") } } ?? []
  }
}

extension ProjectionMacro: ExtensionMacro {
  public static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var diagnostics = Diagnostics()
    let projection = ProjectionDeclaration(
      declaration, attribute: node, lexicalContext: context.lexicalContext, &diagnostics)
    guard let projection else { return [] }
    let hasID = projection.properties.contains { $0.identifier == "id" }
    let conformances = protocols.map(\.trimmedDescription).compactMap { name -> String? in
      if name.hasSuffix("Identifiable") { return hasID ? "Swift.Identifiable" : nil }
      return "Sanderling.StoredProjection"
    }
    let clause = conformances.isEmpty ? "" : ": " + conformances.joined(separator: ", ")
    let initializer = projection.initializer(isComplete: !diagnostics.hasErrors)
    return [try ExtensionDeclSyntax("extension \(type.trimmed)\(raw: clause) \(raw: block([initializer]))")]
  }
}

extension ProjectionDeclaration {
  private var modifier: String { access.modifier }

  fileprivate var members: [String] {
    let fields =
      [
        "\(modifier)typealias Owner = \(name)",
        "\(modifier)let _source: Source.Fields",
        "\(modifier)init(_source: Source.Fields) { self._source = _source }",
      ]
      + properties.map { property in
        let value = property.isAggregate ? "\(name).\(property.identifier)" : "_source.\(property.identifier)"
        return "\(property.access.modifier)var \(property.identifier): "
          + "Sanderling.Field<\(property.type.spelling)> { \(value) }"
      }
      + [
        "\(modifier)subscript<_Member>(dynamicMember keyPath: Swift.KeyPath<Source.Fields, _Member>) -> _Member {"
          + " _source[keyPath: keyPath] }"
      ]
    let terms = properties.map { ".init(fields.\($0.identifier))" }.joined(separator: ", ")
    return [
      "\(modifier)typealias Source = \(source)",
      "@dynamicMemberLookup \(modifier)struct Fields: Sanderling.ProjectionFields " + block(fields),
      "\(modifier)static var terms: [Sanderling.SelectedTerm] "
        + block(["let fields = Fields(_source: Source.Fields(_scope: .root))", "return [\(terms)]"]),
    ]
  }

  fileprivate func initializer(isComplete: Bool) -> String {
    let lines = properties.enumerated().map { index, property in
      let value =
        property.isAggregate
        ? "\(name).\(property.identifier).read(row, at: \(index))"
        : "row.value(at: \(index), as: Source.Codings.\(property.identifier).self)"
      return "self.\(property.identifier) = try \(value)"
    }
    return "\(modifier)init(reading row: Sanderling.ResultRow) throws "
      + block(isComplete ? lines : ["Swift.fatalError()"])
  }
}
