import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that `@Record` adds to a struct.
///
/// Every name of the library is written with its module, so that no name of the user hides it. The names of the user's
/// types stay as written; they are used only in places that see the same names as the struct's body.
///
/// Everything is `nonisolated`, for modules whose declarations are isolated to the main actor by default.
struct RecordMembers {
  let record: RecordDeclaration
  /// Whether the whole record was read without problems. Otherwise the members exist but only call `fatalError()`, so
  /// that uses of the record raise no further errors. They never run, because the reported error fails the build.
  let isComplete: Bool

  private var name: String { record.name }
  private var modifier: String { record.access.modifier }

  var declarations: [DeclSyntax] {
    [("Fields", fields), ("_Codings", codings), ("Key", key), ("table", table), ("indexes", indexes)]
      .filter { !record.takenNames.contains($0.0) }
      .compactMap(\.1).map { DeclSyntax("\(raw: $0)") }
  }

  // MARK: Fields

  private var fields: String {
    let header = [
      "\(modifier)typealias Owner = \(OwnerRewriter.rewrite(name))",
      "\(modifier)let _scope: Sanderling._Scope",
      "\(modifier)init(_scope: Sanderling._Scope) { self._scope = _scope }",
    ]
    let columns = record.columns.enumerated().map { index, column in
      let type = OwnerRewriter.rewrite(record.isAssigned(index) ? "Swift.Int64" : column.type.spelling)
      let field = "column(\(index), of: \(name).self, as: \(name)._Codings.\(column.identifier).self)"
      return property(
        column.identifier, column.access, "Sanderling.Field<\(type)>",
        // If the coding fails the compiler's check, returning the field directly would raise a second error.
        column.isChecked ? "let field = _scope.\(field); return field" : "_scope.\(field)")
    }
    let associations = record.associations.map { association in
      let destination = OwnerRewriter.rewrite(association.destination)
      let value = "\(name).\(association.identifier)"
      let (type, method) =
        switch association.kind {
        case .toMany: ("Sanderling.ToMany<\(destination)>", "toMany")
        case .toOne(isOptional: false): ("\(destination).Fields", "toOne")
        case .toOne(isOptional: true): ("Sanderling.OptionalFields<\(destination)>", "toOptional")
        }
      return property(association.identifier, association.access, type, "_scope.\(method)(\(value))")
    }
    return "nonisolated \(modifier)struct Fields: Sanderling._RecordFields " + block(header + columns + associations)
  }

  private func property(_ identifier: String, _ access: AccessLevel, _ type: String, _ value: String) -> String {
    "\(access.modifier)var \(identifier): \(type) { \(value) }"
  }

  // MARK: Codings

  private var codings: String {
    let aliases = record.columns.enumerated().map { index, column in
      let type = record.isAssigned(index) ? "Swift.Int64" : column.codingType
      let alias = "\(column.access.modifier)typealias \(column.identifier) = \(type)"
      guard column.isChecked, let location = column.location else { return alias }
      return lines(column.isOwnCoding ? "\(alias); \(explanation(of: column))" : alias, at: location)
    }
    let owner = accessOfOwner.map { ["\($0.modifier)typealias _Owner = Owner"] } ?? []
    return "nonisolated \(modifier)enum _Codings " + block(aliases + owner)
  }

  /// A call that never runs. If the type isn't a column value, the compiler picks an overload whose error message gives
  /// the remedy.
  private func explanation(of column: ColumnDeclaration) -> String {
    "private static func _\(column.property)() { Sanderling._storable(\(column.type.wrapped).self) }"
  }

  /// The level of the members of `Fields` that mention a type named `Owner`.
  private var accessOfOwner: AccessLevel? {
    let types =
      [(record.name, record.access)] + record.columns.map { ($0.type.spelling, $0.access) }
      + record.associations.map { ($0.destination, $0.access) }
    return types.filter { OwnerRewriter.rewrite($0.0) != $0.0 }.map(\.1).max()
  }

  // MARK: Key

  private var key: String {
    switch record.key {
    case .missing:
      return "\(modifier)typealias Key = Swift.Never"
    case .assigned:
      return "\(modifier)typealias Key = Swift.Int64"
    case .single(let index):
      return "\(modifier)typealias Key = \(record.columns[index].type.spelling)"
    case .composite:
      let columns = record.keyColumns.map { (identifier: $0.identifier, type: $0.type.spelling) }
      let properties = columns.map { "\(modifier)var \($0.identifier): \($0.type)" }
      let labeled = columns.map { "\($0.identifier): \($0.type)" }
      let unlabeled = columns.map { "_ \($0.identifier): \($0.type)" }
      let assignments = columns.map { "self.\($0.identifier) = \($0.identifier)" }
      let initializers = [labeled, unlabeled].map {
        "\(modifier)init(\($0.joined(separator: ", "))) " + block(assignments)
      }
      return "nonisolated \(modifier)struct Key: Swift.Hashable, Swift.Sendable " + block(properties + initializers)
    }
  }

  // MARK: Table and indexes

  private var table: String {
    guard isComplete else {
      return "nonisolated \(modifier)static var table: Sanderling.RecordTable { Swift.fatalError() }"
    }
    let key = record.keyColumns.map(\.property.literal).joined(separator: ", ")
    let assignsKey = if case .assigned = record.key { true } else { false }
    return """
      nonisolated \(modifier)static let table = Sanderling.RecordTable(
        \(name).self, name: \(record.tableName.literal),
        columns: \(list(record.columns.map(definition)).indented),
        key: [\(key)],
        assignsKey: \(assignsKey),
        references: \(list(record.columns.compactMap(reference)).indented),
        indexes: indexes.map { $0.definition }\(record.isView ? ", isView: true" : ""))
      """
  }

  private func definition(_ column: ColumnDeclaration) -> String {
    var arguments = [column.sqlName.literal]
    if column.sqlName != column.property { arguments.append("property: \(column.property.literal)") }
    arguments.append("as: _Codings.\(column.identifier).self")
    switch column.defaultValue {
    case .value(let value): arguments.append("default: .value(_Codings.\(column.identifier).self, \(value))")
    case .sql(let expression): arguments.append("default: .sql(\(expression))")
    case nil: break
    }
    if let collation = column.collation { arguments.append("collation: \(collation)") }
    if let touch = column.touch { arguments.append("touch: \(touch)") }
    if !column.searchKinds.isEmpty { arguments.append("searchable: [\(column.searchKinds.joined(separator: ", "))]") }
    return ".init(\(arguments.joined(separator: ", ")))"
  }

  private func reference(_ column: ColumnDeclaration) -> String? {
    guard let reference = column.reference else { return nil }
    var arguments = [column.property.literal, "to: \(reference.record)"]
    if let action = reference.onDelete { arguments.append("onDelete: \(action)") }
    if let action = reference.onUpdate { arguments.append("onUpdate: \(action)") }
    return ".init(\(arguments.joined(separator: ", ")))"
  }

  private var indexes: String? {
    guard let indexes = record.indexes else { return nil }
    let elements = indexes.map { index in
      let parts = index.parts.map { ".\($0.isDescending ? "descending" : "ascending")(\\.\($0.property))" }
      return ".\(index.isUnique ? "unique(on: " : "on(")\(parts.joined(separator: ", ")))"
    }
    return "nonisolated \(modifier)static let indexes: [Sanderling.Index<\(name)>] = " + list(elements)
  }
}
