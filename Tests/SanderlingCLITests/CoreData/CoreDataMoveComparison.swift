import Foundation
import GRDB
import SanderlingSQL
import Testing

@testable import Sanderling
@testable import SanderlingCLI

/// An old store, and the new database that a printed move has made of it.
struct CoreDataMoveComparison {
  let report: StoreMove.Report
  let new: Store
  private let old: Store
  private let move: StoreMove
  private let oldPath: String
  private let newPath: String

  /// Runs a move, and checks that the old store stays as it was.
  init(_ oldPath: String, _ oldSchema: [any StoredRecord.Type], _ move: (String, String) -> StoreMove) async throws {
    (self.oldPath, newPath) = (oldPath, oldPath + ".new.sqlite")
    self.move = move(oldPath, newPath)
    let before = try Data(contentsOf: URL(filePath: oldPath))
    report = try await self.move.run()
    #expect(try Data(contentsOf: URL(filePath: oldPath)) == before)
    old = try await Store.open(readingCoreData: oldPath, schema: oldSchema)
    new = try await Store.open(path: newPath, schema: self.move.schema)
    #expect(try await new.integrityCheck() == [])
  }

  /// Compares each moved column with its expression by plain SQL, and each property with the same property of the records
  /// that read the old store.
  ///
  /// - Parameter changed: The properties whose values the move changes on purpose.
  /// - Returns: The number of compared records.
  func compare(changed: Set<String> = []) async throws -> Int {
    try compareColumns()
    var count = 0
    let records = old.schema.records.map(\.type)
    for record in new.schema.records.map(\.type) {
      let other = try #require(records.first { String(describing: $0) == String(describing: record) }, "\(record)")
      let (found, expected) = (try await rows(record, new), try await rows(other, old))
      #expect(Set(found.keys) == Set(expected.keys), "\(record)")
      for (key, values) in expected {
        for (name, value) in values where !changed.contains(name) && found[key]?[name] != nil {
          #expect(found[key]?[name] == value, "\(record), \(key), \(name)")
        }
        // All properties of the model are moved.
        let missing = Set(values.keys).subtracting(found[key]?.keys ?? [:].keys).subtracting(["objectID", "entity"])
        #expect(missing == [], "\(record)")
      }
      count += expected.count
    }
    return count
  }

  private func compareColumns() throws {
    var configuration = Configuration()
    configuration.readonly = true
    try DatabaseQueue(path: newPath, configuration: configuration).writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH ? AS old", arguments: [oldPath])
      for table in move.tables {
        let names = table.columns.map { $0.name.quotedIdentifier }.joined(separator: ", ")
        let expressions = table.columns.map { column in
          column.sql.hasPrefix("external_data(")
            ? "NULL" : column.sql
        }.joined(separator: ", ")
        let external = Set(table.columns.filter { $0.sql.hasPrefix("external_data(") }.map { $0.name.quotedIdentifier })
        let found =
          "SELECT \(table.columns.map { external.contains($0.name.quotedIdentifier) ? "NULL" : $0.name.quotedIdentifier }.joined(separator: ", ")) "
          + "FROM main.\(table.record.table.name.quotedIdentifier)"
        let expected = "SELECT \(expressions) FROM old.\(table.source.quotedIdentifier)"
        for (first, second) in [(found, expected), (expected, found)] {
          let rows = try Row.fetchAll(db, sql: "\(first) EXCEPT \(second) LIMIT 3")
          #expect(rows.isEmpty, "\(table.source) \(names): \(rows)")
        }
      }
    }
  }

  /// The records by their keys, each with its properties as texts.
  private func rows<R: StoredRecord>(_ record: R.Type, _ store: Store) async throws -> [String: [String: String]] {
    let key = R.table.keyColumns.map(\.property)
    let rows = try await store.fetch(R.query).map { row in
      Dictionary(
        uniqueKeysWithValues: Mirror(reflecting: row).children.map { child in
          (child.label ?? "", Self.text(child.value))
        })
    }
    return Dictionary(uniqueKeysWithValues: rows.map { row in (key.map { row[$0] ?? "" }.joined(separator: " "), row) })
  }

  /// The text of a value, equal for an optional and for its content.
  private static func text(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return mirror.children.first.map { text($0.value) } ?? "nil" }
    if let data = value as? Data { return data.map { String($0, radix: 16) }.joined(separator: " ") }
    return String(describing: value)
  }
}
