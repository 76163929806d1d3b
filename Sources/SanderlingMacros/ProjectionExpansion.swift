import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that `@Projection` adds to a struct.
struct ProjectionExpansion {
  let projection: ProjectionDeclaration
  /// Whether the whole projection was read without problems. Otherwise its initializer only calls `fatalError()`.
  var isComplete = true

  private var modifier: String { projection.access.modifier }

  // MARK: Members

  var members: [String] {
    [
      ("Source", "\(modifier)typealias Source = \(projection.source)"),
      ("Fields", fields),
      ("_properties", "nonisolated \(modifier)static var _properties: [Swift.String] { \(properties) }"),
      ("_terms", "nonisolated \(modifier)static var _terms: [Sanderling._SelectedTerm] " + block(terms)),
    ]
    .filter { !projection.takenNames.contains($0.0) }.map(\.1)
  }

  /// The properties with one column each, in the order of the columns. They come before the nested properties.
  private var single: [ProjectionDeclaration.Property] {
    projection.properties.filter { $0.source != .nested }
  }

  /// The properties with several columns each, in the order of the columns.
  private var nested: [ProjectionDeclaration.Property] {
    projection.properties.filter { $0.source == .nested }
  }

  private var properties: String {
    let names = single.map { $0.identifier.withoutBackticks.literal }.joined(separator: ", ")
    let others = nested.map {
      " + \(projection.name).\($0.identifier)._properties(of: \($0.identifier.withoutBackticks.literal))"
    }
    return "[\(names)]" + others.joined()
  }

  private var fields: String {
    let header = [
      "\(modifier)typealias Owner = \(projection.name)",
      "\(modifier)let _source: Source.Fields",
      "\(modifier)init(_source: Source.Fields) { self._source = _source }",
    ]
    let properties = single.map { property in
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
    // Inside `Fields` the name `Owner` means the projection.
    let mentionsOwner = OwnerRewriter.rewrite(type) != type
    return mentionsOwner && property.source == .field ? "Source._Codings.\(property.identifier).Value" : type
  }

  private func value(of property: ProjectionDeclaration.Property) -> String {
    if property.source == .aggregate { return "\(projection.name).\(property.identifier)" }
    // A key that SQLite assigns is optional in the record. The record's field for it is not.
    return property.type.isOptionalInt64
      ? "._lifting(_source.\(property.identifier))" : "_source.\(property.identifier)"
  }

  private var terms: [String] {
    let terms = single.map { ".init(fields.\($0.identifier))" }.joined(separator: ", ")
    let others = nested.map { " + \(projection.name).\($0.identifier)._terms" }.joined()
    let fields = single.isEmpty ? [] : ["let fields = Fields(_source: Source.Fields(_scope: .root))"]
    return fields + ["return [\(terms)]\(others)"]
  }

  // MARK: Extension

  func conformance(of type: some TypeSyntaxProtocol, to protocols: [TypeSyntax]) throws -> ExtensionDeclSyntax {
    let hasID = projection.properties.contains { $0.identifier == "id" && $0.access >= projection.access }
    let clause = inheritanceClause(protocols, required: "Sanderling.StoredProjection", isIdentifiable: hasID)
    let values = single.enumerated().map { index, property in
      let value =
        property.source == .aggregate
        ? "Self.\(property.identifier).read(row, at: \(index))"
        : "row.value(at: \(index), as: Source._Codings.\(property.identifier).self)"
      return located("let value\(index) = try \(value)", property)
    }
    let nestedValues = nested.enumerated().map { index, property in
      let start = "\(single.count)" + nested.prefix(index).map { " + Self.\($0.identifier)._width" }.joined()
      return located(
        "let value\(single.count + index) = try Self.\(property.identifier)._read(row, at: \(start))", property)
    }
    // Each value is assigned on its property's own line, so that the compiler reports a type mismatch there.
    let assignments = (single + nested).enumerated().map { index, property in
      located("self.\(property.identifier) = value\(index)", property)
    }
    // The `fatalError()` of an incomplete projection never runs, because the reported error fails the build.
    let initializer =
      "\(modifier)init(_reading row: Sanderling.ResultRow) throws "
      + block(isComplete ? values + nestedValues + assignments : ["Swift.fatalError()"])
    return try ExtensionDeclSyntax("nonisolated extension \(type.trimmed)\(raw: clause) \(raw: block([initializer]))")
  }

  private func located(_ text: String, _ property: ProjectionDeclaration.Property) -> String {
    property.location.map { lines(text, at: $0) } ?? text
  }
}
