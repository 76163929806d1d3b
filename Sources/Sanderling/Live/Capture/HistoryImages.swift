import GRDB
import SanderlingSQL

/// The tables whose old images a history has, for every writer.
struct HistoryImages: Sendable {
  /// The captured tables, and how their images are read.
  private(set) var tables: [RecordType: HistoryImageReader] = [:]
  /// The folded names of all tables with a history, captured or not.
  private(set) var names: Set<String> = []

  static let none = HistoryImages()

  private init() {}

  /// Finds the tables whose history has all captured columns.
  ///
  /// - Parameter layouts: The captured columns of each table.
  init(_ history: HistoryTables, _ layouts: [RecordType: CaptureLayout], _ db: Database) throws {
    guard try HistoryTables.exist(db) else { return }
    for recorded in history.records {
      guard let places = try history.followedPlaces(of: recorded, db) else { continue }
      names.insert(recorded.table.name.asciiLowercased)
      guard let layout = layouts[recorded.record] else { continue }
      tables[recorded.record] = HistoryImageReader(recorded, layout, recorded.names(places))
    }
  }

  var isEmpty: Bool { names.isEmpty }

  /// Whether the history has all changes of the tables that a query reads.
  func covers(_ needs: [CaptureNeed]) -> Bool { needs.allSatisfy { tables[$0.table] != nil } }

  func covers(_ names: Set<String>) -> Bool { names.isSubset(of: self.names) }

  /// The position of the history's end in a snapshot; nil if there is no history, or if notes after `position` were
  /// pruned.
  func end(_ db: Database, after position: Int64?) throws -> Int64? {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql:
          "SELECT max(id), (SELECT pruned FROM main.sanderling_history_state) FROM main.sanderling_history /* Sanderling */"
      ))
    guard let row, let pruned = row[1] as Int64? else { return nil }
    let end = max(row[0] as Int64? ?? 0, pruned)
    if let position, pruned > position || end < position { return nil }
    return end
  }

  /// Replaces the captured changes of these tables by the notes between two positions.
  func replace(_ changes: inout CapturedChanges, after position: Int64, through end: Int64, _ db: Database) throws {
    for type in tables.keys {
      changes.tables[type] = nil
      changes.overflowed.remove(type)
    }
    if end == position { return }
    if end - position > Self.greatestCount {
      changes.overflowed.formUnion(tables.keys)
    } else {
      for (type, reader) in tables {
        switch try reader.read(db, after: position, through: end) {
        case .some(let table): if !table.isEmpty { changes.tables[type] = table }
        case nil: changes.overflowed.insert(type)
        }
      }
    }
    let written = try String.fetchSet(
      db.cachedStatement(
        sql: "SELECT DISTINCT record FROM main.sanderling_history WHERE id > ? AND id <= ? /* Sanderling */"),
      arguments: [position, end])
    changes.touchedTables.formUnion(written.map(\.asciiLowercased))
  }

  /// The most notes that are read. With more, the queries are read again.
  private static let greatestCount: Int64 = 20_000
}

/// Reads the rows of a table before their writes from its history.
struct HistoryImageReader: Sendable {
  private let layout: CaptureLayout
  private let keyCount: Int
  private let select: String

  /// - Parameter names: The SQL of the kept columns, by their positions in the table.
  /// - Returns: Nil if the history lacks a captured column.
  init?(_ recorded: HistoryTables.Recorded, _ layout: CaptureLayout, _ names: [Int: String]) {
    let values = layout.columns.compactMap { names[$0] }
    guard values.count == layout.columns.count else { return nil }
    self.layout = layout
    let keys = recorded.table.key.indices.map { "k\($0)" }
    keyCount = keys.count
    select =
      "SELECT \((keys + values + ["existed"]).joined(separator: ", ")) FROM main.sanderling_history "
      + "WHERE id > ? AND id <= ? AND record = \(recorded.table.name.quotedLiteral) ORDER BY id"
  }

  /// - Returns: The keys that were written, with the rows before; nil if a key identifies no row in Swift, as a text
  ///   that no string can hold.
  fileprivate func read(_ db: Database, after position: Int64, through end: Int64) throws -> CapturedTable? {
    let execution = StatementExecution(try db.idleStatement(sql: select), recorder: nil)
    defer { execution.finish() }
    try execution.bind { parameters in
      try parameters.bind(integer: position, at: 1)
      try parameters.bind(integer: end, at: 2)
    }
    var table = CapturedTable()
    while let row = try execution.next() {
      let key = row.encoding(keyCount).withUnsafeBytes { RowKey(decoding: $0) }
      guard let key, !key.hasNull else { return nil }
      let exists = row.storageValue(at: Int32(keyCount + layout.columns.count)) == .integer(1)
      table.add(
        key, old: exists ? RowImage(reading: row.advanced(by: Int32(keyCount)), layout: layout) : nil)
    }
    return table
  }
}
