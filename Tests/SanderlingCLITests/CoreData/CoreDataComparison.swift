import Foundation
import GRDB
import SanderlingSQL
import Testing

@testable import Sanderling
@testable import SanderlingCLI

/// A read-only store over a store of Core Data, and plain SQL beside it.
struct CoreDataComparison {
  let store: Store
  private let queue: DatabaseQueue

  init(path: String, schema: [any StoredRecord.Type]) async throws {
    var configuration = Store.defaultConfiguration
    configuration.readonly = true
    queue = try DatabaseQueue(path: path, configuration: configuration)
    store = try await Store.open(path: path, schema: schema, configuration: configuration)
  }

  /// Compares every row of every record with its table.
  ///
  /// - Parameters:
  ///   - leftOut: The columns that no record has, though they have values.
  ///   - names: The entities whose records have other names.
  /// - Returns: The number of compared rows.
  @discardableResult
  func compareRows(leftOut: Set<String> = [], names: [String: String] = [:]) async throws -> Int {
    var count = 0
    for record in store.schema.records.map(\.type) {
      count += try await compareRows(
        of: record, names[String(describing: record)] ?? String(describing: record), leftOut)
    }
    return count
  }

  private func compareRows<R: StoredRecord>(of record: R.Type, _ entity: String, _ leftOut: Set<String>) async throws
    -> Int
  {
    let table = R.table
    let sql = """
      WITH RECURSIVE family(number) AS (
        SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?
        UNION SELECT Z_ENT FROM Z_PRIMARYKEY JOIN family ON Z_SUPER = number)
      SELECT * FROM \(table.name.quotedIdentifier)
      """
    let isLink = table.name.hasPrefix("Z_")
    let rows = try queue.read { db in
      try Row.fetchAll(
        db, sql: isLink ? "SELECT * FROM \(table.name.quotedIdentifier)" : "\(sql) WHERE Z_ENT IN family",
        arguments: isLink ? [] : [entity])
    }
    let found = try await store.fetch(R.query).map { try $0.storageValues() }
    let key = table.key
    let covered = Set(
      store.schema.records.filter { $0.table.name == table.name }.flatMap { $0.table.columns.map(\.name) })
    let byKey = Dictionary(uniqueKeysWithValues: found.map { values in (key.map { values[$0] }, values) })
    #expect(byKey.count == rows.count, "\(entity)")
    for row in rows {
      let values = byKey[key.map { StorageValue(row[table.columns[$0].name] as DatabaseValue) }]
      for (column, databaseValue) in row {
        let expected = StorageValue(databaseValue)
        if let index = table.columns.firstIndex(where: { $0.name == column }) {
          #expect(
            values.map { isEqual($0[index], expected, table.columns[index]) } == true,
            "\(entity).\(column): \(String(describing: values?[index])), \(expected)")
        } else if !["Z_ENT", "Z_OPT"].contains(column), !leftOut.contains(column), !covered.contains(column),
          !isOfOther(column)
        {
          #expect(expected.isNull, "\(entity).\(column) has a value and no property")
        }
      }
    }
    return rows.count
  }

  /// Whether a value is the stored one. Core Data's decimals are off by some 1e-15 of their value.
  private func isEqual(_ value: StorageValue, _ stored: StorageValue, _ column: RecordColumn) -> Bool {
    if column.form.coding is DecimalNumberCoding.Type, case .real(let value) = value, case .real(let stored) = stored {
      return abs(value - stored) <= abs(stored) * 1e-15
    }
    return value.isEqual(to: stored)
  }

  /// Whether a column holds the number of a destination's entity.
  private func isOfOther(_ column: String) -> Bool {
    column.hasPrefix("Z") && column.dropFirst().first?.isNumber == true
      && column.dropFirst().drop(while: \.isNumber).first == "_"
  }

  /// The keys of a query in SQL, in pairs.
  func pairs(_ sql: String) async throws -> [[Int64]] {
    try await queue.read { try Row.fetchAll($0, sql: sql).map { [$0[0], $0[1]] } }.sorted(by: precedes)
  }

  func pairs<P: StoredRecord, C: StoredRecord>(_ association: HasMany<P, C>) async throws -> [[Int64]]
  where P.Key == Int64, C.Key == Int64 {
    let rows = try await store.fetch(P.query.with(association.prefetch()))
    return try rows.flatMap { parent, children in try children.map { try [parent.key, $0.key] } }.sorted(by: precedes)
  }

  func pairs<C: StoredRecord, P: StoredRecord>(_ association: BelongsTo<C, P>) async throws -> [[Int64]]
  where P.Key == Int64, C.Key == Int64 {
    let rows = try await store.fetch(C.query.with(association.prefetch()))
    return try rows.compactMap { child, parent in try parent.map { try [child.key, $0.key] } }.sorted(by: precedes)
  }

  private func precedes(_ lhs: [Int64], _ rhs: [Int64]) -> Bool { lhs.lexicographicallyPrecedes(rhs) }
}
