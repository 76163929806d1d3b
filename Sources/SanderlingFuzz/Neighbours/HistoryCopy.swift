import Foundation
import Sanderling

/// The rows of the tables with a history at one moment, and the token of that moment.
///
/// Also while no process writes, a process may fold texts. The app's triggers on updates then change further rows.
struct HistoryCopy: Sendable {
  private typealias Tables = [String: [[StorageValue]: [String: StorageValue]]]

  let token: ChangeToken
  private var tables: Tables

  private static let records: [any FuzzRecord.Type] = [Crate.self, Tag.self]

  init(_ store: Store) async throws {
    while true {
      let token = try await store.historyToken()
      let tables = try await Self.tables(store)
      guard try await store.historyToken() == token else { continue }
      (self.token, self.tables) = (token, tables)
      return
    }
  }

  private static func tables(_ store: Store) async throws -> Tables {
    try await store.read { tx in
      try Dictionary(
        uniqueKeysWithValues: records.map { record in
          let statement = SelectStatement(source: .table(RecordType(record)), columns: record._terms.map(\.term))
          let spec = LiveQuerySpec(form: .rows, reading: .stored, statement: statement, window: 0)
          let (table, names) = (record.table, record.table.columns.map(\.name))
          let rows = try tx.fetch(spec.query).map(\.values).map { values in
            (table.key.map { values[$0] }.map(withoutSign), Dictionary(uniqueKeysWithValues: zip(names, values)))
          }
          // A NULL in a key identifies no row, and a history has none of these.
          return (table.name, Dictionary(rows.filter { !$0.0.contains(.null) }) { first, _ in first })
        })
    }
  }

  /// A value of a key as a history has it: SQLite takes -0.0 and 0.0 for one key.
  private static func withoutSign(_ value: StorageValue) -> StorageValue {
    if case .real(0) = value { .real(0) } else { value }
  }

  /// Applies the changes between the copy and a later copy, one by one.
  ///
  /// - Parameters:
  ///   - present: The later copy.
  ///   - authors: The authors of the commits of each process, by its number; nil for a process without a store.
  /// - Returns: The difference between the replayed history and the database; nil if there is none.
  /// - Throws: ``HistoryError/pruned(_:)``, and errors of the database.
  func problem(replayedTo present: HistoryCopy, in store: Store, authors: [String?]) async throws -> String? {
    var copy = self
    for try await change in store.history(after: token) {
      if change.token.position > present.token.position { break }
      let row = copy.tables[change.table]?[change.key]
      if row != change.old {
        return "\(describe(change)) says that the row was \(text(change.old)), but it was \(text(row))"
      }
      copy.tables[change.table]?[change.key] = change.new
      if change.kind == .insert, change.table == Crate.table.name,
        let process = SignedCrates.process(ofKey: change.key),
        process < authors.count, change.commit?.author != authors[process]
      {
        return
          "\(describe(change)) was made by process \(process), but has the author \(change.commit?.author ?? "none")"
      }
    }
    for (table, rows) in present.tables {
      let replayed = copy.tables[table] ?? [:]
      for key in Set(rows.keys).union(replayed.keys) where rows[key] != replayed[key] {
        return
          "replayed from \(token), the row \(key) of \(table) is \(text(replayed[key])), but it is \(text(rows[key]))"
      }
    }
    return nil
  }

  private func describe(_ change: RecordedChange) -> String {
    "the \(change.kind.rawValue) \(change.token) of \(change.key.map(\.literal)) in \(change.table)"
  }

  private func text(_ row: [String: StorageValue]?) -> String {
    row.map { row in "\(row.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.literal)" })" } ?? "absent"
  }
}
