import SwiftSyntax
import SwiftSyntaxBuilder

/// What `@Projection` adds to a struct.
struct ProjectionExpansion {
  let projection: ProjectionDeclaration
  /// Whether the projection was understood as a whole; otherwise its initializer does nothing.
  var isComplete = true

  private var modifier: String { projection.access.modifier }

  // MARK: Members

  var members: [String] {
    [
      ("Source", "\(modifier)typealias Source = \(projection.source)"),
      ("Fields", fields),
      (
        "_properties",
        "nonisolated \(modifier)static var _properties: [Swift.String] { "
          + "[\(projection.properties.map { $0.identifier.withoutBackticks.literal }.joined(separator: ", "))] }"
      ),
      ("_terms", "nonisolated \(modifier)static var _terms: [Sanderling._SelectedTerm] " + block(terms)),
    ]
    .filter { !projection.takenNames.contains($0.0) }.map(\.1)
  }

  private var fields: String {
    let header = [
      "\(modifier)typealias Owner = \(projection.name)",
      "\(modifier)let _source: Source.Fields",
      "\(modifier)init(_source: Source.Fields) { self._source = _source }",
    ]
    let properties = projection.properties.map { property in
      located(
        "\(property.access.modifier)var \(property.identifier): Sanderling.Field<\(type(of: property))> "
          + "{ \(value(of: property)) }", property)
    }
    let sourceMember = """
      \(modifier)subscript<_Member>(dynamicMember keyPath: Swift.KeyPath<Source.Fields, _Member>) -> _Member {
        _source[keyPath: keyPath]
      }
      """
    return "@dynamicMemberLookup nonisolated \(modifier)struct Fields: Sanderling._ProjectionFields "
      + block(header + properties + [sourceMember])
  }

  private func type(of property: ProjectionDeclaration.Property) -> String {
    let type = property.type.spelling
    // Inside of `Fields` the name `Owner` means the projection.
    let mentionsOwner = OwnerRewriter.rewrite(type) != type
    return mentionsOwner && !property.isAggregate ? "Source._Codings.\(property.identifier).Value" : type
  }

  private func value(of property: ProjectionDeclaration.Property) -> String {
    if property.isAggregate { return "\(projection.name).\(property.identifier)" }
    // A key that SQLite assigns is optional in the record, but not in its fields.
    return property.type.isOptionalInt64
      ? "._lifting(_source.\(property.identifier))" : "_source.\(property.identifier)"
  }

  private var terms: [String] {
    let terms = projection.properties.map { ".init(fields.\($0.identifier))" }.joined(separator: ", ")
    return ["let fields = Fields(_source: Source.Fields(_scope: .root))", "return [\(terms)]"]
  }

  // MARK: Extension

  func conformance(of type: some TypeSyntaxProtocol, to protocols: [TypeSyntax]) throws -> ExtensionDeclSyntax {
    let hasID = projection.properties.contains { $0.identifier == "id" && $0.access >= projection.access }
    let clause = inheritanceClause(protocols, required: "Sanderling.StoredProjection", isIdentifiable: hasID)
    let values = projection.properties.enumerated().map { index, property in
      let value =
        property.isAggregate
        ? "Self.\(property.identifier).read(row, at: \(index))"
        : "row.value(at: \(index), as: Source._Codings.\(property.identifier).self)"
      return located("let value\(index) = try \(value)", property)
    }
    // Each value is assigned on its property's own line, where the compiler says so if the types differ.
    let assignments = projection.properties.enumerated().map { index, property in
      located("self.\(property.identifier) = value\(index)", property)
    }
    // The `fatalError()` of an incomplete projection never runs, since the reported error fails the build.
    let initializer =
      "\(modifier)init(_reading row: Sanderling.ResultRow) throws "
      + block(isComplete ? values + assignments : ["Swift.fatalError()"])
    return try ExtensionDeclSyntax("nonisolated extension \(type.trimmed)\(raw: clause) \(raw: block([initializer]))")
  }

  private func located(_ text: String, _ property: ProjectionDeclaration.Property) -> String {
    property.location.map { lines(text, at: $0) } ?? text
  }
}
