import Foundation
import GRDB

/// Some consecutive changes of a history, read in one snapshot.
///
/// The history has each row as it was before a write. The row after the write is the next note of the same key: in the
/// page, after the page, or the present row. One scan of the later notes finds the next notes of all keys of the page.
struct HistoryPage {
  /// A row before a write; without values if there was none.
  private struct Note {
    let id: Int64
    let record: HistoryRecordReader
    let key: RowKey
    let values: [StorageValue]?
    let day: Double
  }

  private struct NoteKey: Hashable {
    let table: String
    let key: RowKey
  }

  private(set) var changes: [RecordedChange] = []
  /// The position after the page's last note.
  let end: Int64
  /// Whether further notes follow, up to the limit.
  let hasMore: Bool

  /// The greatest numbers of notes in the first page and in later pages.
  static let sizes = 500...8000

  /// - Parameters:
  ///   - position: The last note before the page.
  ///   - last: The last note to read.
  ///   - author: The author of the commits to return; nil for all writers.
  ///   - size: The greatest number of notes in the page.
  init(
    _ db: Database, history: String, after position: Int64, through last: Int64, _ readers: [HistoryRecordReader],
    author: String?, size: Int
  ) throws {
    var notes: [Note] = []
    for reader in readers {
      try reader.read(db, after: position, through: last, limit: size + 1) { id, key, values, day in
        notes.append(Note(id: id, record: reader, key: key, values: values(), day: day))
        return true
      }
    }
    notes.sort { $0.id < $1.id }
    hasMore = notes.count > size
    if hasMore { notes.removeSubrange(size...) }
    let end = hasMore ? (notes.last?.id ?? last) : last
    self.end = end

    let later = try Self.laterRows(db, of: notes, after: end)
    // The commits that may have made the notes so far; the newest is last, as the notes are read backwards.
    var commits = try Self.commits(db, from: position + 1, through: end)
    var next = later
    var found: [RecordedChange] = []
    for note in notes.reversed() {
      let key = NoteKey(table: note.record.table, key: note.key)
      let after = next.updateValue(note.values, forKey: key) ?? nil
      guard let kind = Self.kind(note.values, after, isWhole: note.record.isWhole) else { continue }
      while let newest = commits.last, newest.range.lowerBound > note.id { commits.removeLast() }
      let commit = commits.last.flatMap { $0.range.contains(note.id) ? $0.commit : nil }
      if let author, commit?.author != author { continue }
      found.append(
        RecordedChange(
          token: ChangeToken(history: history, position: note.id), table: note.record.table, kind: kind,
          key: note.key.values, old: note.values.map(note.record.named), new: after.map(note.record.named),
          date: Date(julianDay: note.day), commit: commit))
    }
    changes = found.reversed()
  }

  /// The change between two states of a row; nil for none.
  private static func kind(
    _ old: [StorageValue]?, _ new: [StorageValue]?, isWhole: Bool
  ) -> RecordedChange.Kind? {
    switch (old, new) {
    case (nil, nil): nil
    case (nil, _): .insert
    case (_, nil): .delete
    case (let old?, let new?): old == new && isWhole ? nil : .update
    }
  }

  /// The rows of the notes' keys after the page.
  private static func laterRows(
    _ db: Database, of notes: [Note], after end: Int64
  ) throws -> [NoteKey: [StorageValue]?] {
    var later: [NoteKey: [StorageValue]?] = [:]
    for (table, notes) in Dictionary(grouping: notes, by: \.record.table) {
      guard let reader = notes.first?.record else { continue }
      var keys = Set(notes.map(\.key))
      try reader.read(db, after: end, through: .max, limit: .max) { _, key, values, _ in
        if keys.remove(key) != nil { later[NoteKey(table: table, key: key)] = .some(values()) }
        return !keys.isEmpty
      }
      for key in keys { later[NoteKey(table: table, key: key)] = .some(try reader.present(db, key)) }
    }
    return later
  }

  private static func commits(
    _ db: Database, from first: Int64, through last: Int64
  ) throws -> [(range: ClosedRange<Int64>, commit: HistoryCommit)] {
    try Row.fetchAll(
      db,
      sql: "SELECT first, last, number, operation, author, at FROM main.sanderling_history_commits "
        + "WHERE last >= ? AND first <= ? ORDER BY last",
      arguments: [first, last]
    ).map { row in
      let commit = HistoryCommit(
        number: row[2], operation: row[3], author: row[4], date: Date(julianDay: row[5] as Double))
      return ((row[0] as Int64)...(row[1] as Int64), commit)
    }
  }
}

/// Reads the notes and the present rows of one record.
struct HistoryRecordReader {
  let table: String
  /// Whether the history keeps all columns of the record.
  let isWhole: Bool
  private let keyCount: Int
  /// The names of the kept columns, and those of the key.
  private let columns: [String]
  private let notes: String
  private let present: String

  /// - Returns: Nil if the database keeps no history of the record at present.
  init?(_ recorded: HistoryTables.Recorded, _ tables: HistoryTables, _ db: Database) throws {
    guard let places = try tables.places(of: recorded, db) else { return nil }
    let definition = recorded.table
    let kept = Set(recorded.columns).union(definition.key).sorted()
    let names = recorded.names(places)
    let keys = definition.key.indices.map { "k\($0)" }
    table = definition.name
    keyCount = keys.count
    isWhole = kept.count == definition.columns.count
    columns = kept.map { definition.columns[$0].name }
    let values = kept.compactMap { names[$0] }
    notes =
      "SELECT \((keys + values).joined(separator: ", ")), id, existed, at FROM main.sanderling_history "
      + "WHERE id > ? AND id <= ? AND record = \(definition.name.quotedLiteral) ORDER BY id LIMIT ?"
    present = CaptureLayout(table: recorded.record, columns: Set(kept)).selectByKey
  }

  func named(_ values: [StorageValue]) -> [String: StorageValue] {
    Dictionary(uniqueKeysWithValues: zip(columns, values))
  }

  /// Passes notes to `body`, in their order, until it returns false.
  func read(
    _ db: Database, after first: Int64, through last: Int64, limit: Int,
    _ body: (_ id: Int64, _ key: RowKey, _ values: () -> [StorageValue]?, _ day: Double) throws -> Bool
  ) throws {
    let execution = StatementExecution(try db.idleStatement(sql: notes), recorder: nil)
    defer { execution.finish() }
    try execution.bind { parameters in
      try parameters.bind(integer: first, at: 1)
      try parameters.bind(integer: last, at: 2)
      try parameters.bind(integer: Int64(limit), at: 3)
    }
    let end = Int32(keyCount + columns.count)
    while let row = try execution.next() {
      func values() -> [StorageValue]? {
        guard row.storageValue(at: end + 1) == .integer(1) else { return nil }
        return columns.indices.map { row.storageValue(at: Int32(keyCount + $0)) }
      }
      guard case .integer(let id) = row.storageValue(at: end), case .real(let day) = row.storageValue(at: end + 2)
      else {
        continue
      }
      if try !body(id, RowKey(reading: row, count: keyCount), values, day) { return }
    }
  }

  /// The present row with a key; nil for none.
  func present(_ db: Database, _ key: RowKey) throws -> [StorageValue]? {
    let execution = StatementExecution(try db.idleStatement(sql: present), recorder: nil)
    defer { execution.finish() }
    try execution.bind { try key.bind(to: $0, from: 1) }
    guard let row = try execution.next() else { return nil }
    return columns.indices.map { row.storageValue(at: Int32($0)) }
  }
}

extension Date {
  /// The time of SQLite's Julian day, in whole milliseconds.
  init(julianDay: Double) {
    self.init(timeIntervalSince1970: ((julianDay - 2_440_587.5) * 86_400_000).rounded() / 1000)
  }

  /// SQLite's Julian day of the time.
  var julianDay: Double { timeIntervalSince1970 / 86_400 + 2_440_587.5 }
}
