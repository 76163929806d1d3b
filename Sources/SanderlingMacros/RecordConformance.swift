import SwiftSyntax
import SwiftSyntaxBuilder

/// The extension that makes a struct a record.
///
/// The initializers are in this extension because a struct with an initializer in its body loses its memberwise one.
/// The extension is at the top level. There, the bare name of a type nested beside the record is unknown, so all types
/// are written through `_Codings`.
struct RecordConformance {
  let record: RecordDeclaration
  /// See ``RecordMembers``: the `fatalError()` of an incomplete record never runs, because the reported error fails the
  /// build.
  let isComplete: Bool

  private var modifier: String { record.access.modifier }

  func declaration(of type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax]) throws -> ExtensionDeclSyntax
  {
    // A property that is less visible than the record can't satisfy a requirement of its protocol.
    let hasID = record.columns.contains { $0.property == "id" && $0.access >= record.access }
    let clause = inheritanceClause(
      protocols, required: "Sanderling.StoredRecord", isIdentifiable: hasID || identity != nil)
    let members = [
      readingInitializer, valuesInitializer, bind, storageValue, key, keyOfValues, bindKey, identity, keyPaths,
      associations,
    ]
    return try ExtensionDeclSyntax(
      "nonisolated extension \(type.trimmed)\(raw: clause) \(raw: block(members.compactMap { $0 }))")
  }

  /// The memberwise initializer is called if the struct has one. Otherwise the properties are assigned one by one
  /// between calls that can throw. Swift then builds the struct in place, copies it out and destroys the original,
  /// which costs as much as reading a column.
  private var readingInitializer: String {
    let values = columns { index, _, coding in
      "let value\(index) = try row.value(at: \(index), as: \(coding).self)"
    }
    let arguments = columns { index, column, _ in "\(column.identifier.asLabel): value\(index)" }
    let assignments = columns { index, column, _ in "self.\(column.identifier) = value\(index)" }
    let initialization =
      record.hasMemberwiseInitializer ? ["self.init(\(arguments.joined(separator: ", ")))"] : assignments
    return "@inline(__always)\n" + function("init(_reading row: Sanderling.ResultRow) throws", values + initialization)
  }

  private var valuesInitializer: String {
    function(
      "init(_values values: Sanderling._StorageValues) throws",
      columns { index, column, coding in
        "self.\(column.identifier) = try values.value(at: \(index), as: \(coding).self)"
      })
  }

  private var bind: String {
    function(
      "func _bind(to parameters: Sanderling.ParameterBinder) throws",
      columns { index, column, coding in
        "try parameters.bind(self.\(column.identifier), at: \(index + 1), as: \(coding).self)"
      })
  }

  private var storageValue: String {
    let cases = columns { index, column, coding in
      "case \(index): return try Sanderling.StorageValue(self.\(column.identifier), as: \(coding).self)"
    }
    let lines =
      ["switch index {"] + cases + [#"default: Swift.preconditionFailure("no column at index \(index)")"#, "}"]
    return function("func _storageValue(at index: Swift.Int) throws -> Sanderling.StorageValue", lines)
  }

  /// The record's `key`, unless the key is a stored property of that name, which then satisfies the requirement.
  private var key: String? {
    let value: String
    switch record.key {
    case .missing:
      value = ""
    case .single(let index):
      guard record.columns[index].property != "key" else { return nil }
      value = "self.\(record.columns[index].identifier)"
    case .assigned(let index):
      value = "try Self._assigned(self.\(record.columns[index].identifier))"
    case .composite:
      value = compositeKey
    }
    return "\(modifier)var key: Key { get throws { \(isComplete ? value : "Swift.fatalError()") } }"
  }

  /// The key as `id`, which lists use to identify the record. It is left out if a property has that name, or if the key
  /// is less visible than the record.
  private var identity: String? {
    guard !record.declaresID, record.keyColumns.allSatisfy({ $0.access >= record.access }) else { return nil }
    switch record.key {
    case .missing:
      return nil
    case .single(let index):
      return "\(modifier)var id: Key { self.\(record.columns[index].identifier) }"
    case .assigned(let index):
      return "\(modifier)var id: Key? { self.\(record.columns[index].identifier) }"
    case .composite:
      return "\(modifier)var id: Key { \(compositeKey) }"
    }
  }

  private var compositeKey: String {
    "Key(\(record.keyColumns.map { "self.\($0.identifier)" }.joined(separator: ", ")))"
  }

  private var keyOfValues: String {
    let values = record.keyIndices.map { index in
      "try values.value(at: \(index), as: _Codings.\(record.columns[index].identifier).self)"
    }
    let key = values.joined(separator: ", ")
    return function(
      "static func _key(_values values: Sanderling._StorageValues) throws -> Key",
      [
        isComposite ? "try Key(\(key.replacing("try ", with: "")))" : key
      ])
  }

  private var isComposite: Bool {
    if case .composite = record.key { true } else { false }
  }

  private var bindKey: String {
    let lines = record.keyColumns.enumerated().map { offset, column in
      let value = isComposite ? "key.\(column.identifier)" : "key"
      let index = offset == 0 ? "index" : "index + \(offset)"
      return "try parameters.bind(\(value), at: \(index), as: _Codings.\(column.identifier).self)"
    }
    return function(
      "static func _bind(key: Key, to parameters: Sanderling.ParameterBinder, from index: Swift.Int32) throws", lines)
  }

  /// The key paths of the columns' properties. Predicates find a column by its key path.
  private var keyPaths: String {
    let keyPaths = record.columns.map { "\\Self.\($0.identifier)" }.joined(separator: ", ")
    return "\(modifier)static var _keyPaths: [Swift.PartialKeyPath<Self>] { [\(isComplete ? keyPaths : "")] }"
  }

  /// The names of the associations, with their fields. Predicate formats find an association by its name.
  private var associations: String? {
    guard isComplete, !record.associations.isEmpty else { return nil }
    let fields = record.associations.map {
      "(\($0.identifier.withoutBackticks.literal), \\Fields.\($0.identifier))"
    }
    return "\(modifier)static var _associations: [(Swift.String, Swift.PartialKeyPath<Fields>)] { "
      + "[\(fields.joined(separator: ", "))] }"
  }

  /// One line per column, with the coding that reads and writes the property's declared type.
  private func columns(_ line: (Int, ColumnDeclaration, String) -> String) -> [String] {
    record.columns.enumerated().map { index, column in
      line(index, column, record.isAssigned(index) ? "Swift.Optional<Swift.Int64>" : "_Codings.\(column.identifier)")
    }
  }

  private func function(_ header: String, _ lines: [String]) -> String {
    modifier + header + " " + block(isComplete ? lines : ["Swift.fatalError()"])
  }
}
