import GRDB
import SanderlingSQL

/// The tables and triggers that keep the changes of records which declare a ``ChangeHistory``.
///
/// | table | one row is |
/// | --- | --- |
/// | `sanderling_history` | a row of a record before a write: its key, whether it existed, and its kept columns |
/// | `sanderling_history_columns` | a column of a record, and its place in `sanderling_history` |
/// | `sanderling_history_commits` | a commit of a store: the last row that it wrote, its operation and its author |
/// | `sanderling_history_state` | the name of this history, and the last pruned row |
/// | `sanderling_history_readers` | a known reader and its position |
///
/// A history keeps the row as it was before a write, as the outbox does. The row after a write is the next note of the
/// same key, or the present row. So REPLACE, cascades and triggers need no cases of their own, and a note of a row that
/// stays as it was is no change.
///
/// Lifetime: an opening makes them, and ``SchemaRepairs`` makes them again after each change of the schema that lost
/// them: erasing, the rebuild of a table, another process's migration. ``Store/removeHistory(of:)`` ends them.
struct HistoryTables: Sendable {
  /// A record with a history.
  struct Recorded: Sendable {
    let record: RecordType
    /// The positions of the kept columns, ascending, without those of the key.
    let columns: [Int]

    var table: RecordTable { record.table }

    /// The SQL of the kept columns in `sanderling_history`, by their positions in the record's table.
    func names(_ places: [Int: Int]) -> [Int: String] {
      let key = table.key.enumerated().map { ($1, "k\($0)") }
      return Dictionary(uniqueKeysWithValues: key + places.map { ($0, "c\($1)") })
    }
  }

  let records: [Recorded]

  static let name = "sanderling_history"
  /// The prefix of the names of the triggers and of the tables beside the history.
  static let prefix = "sanderling_history_"

  /// - Returns: Nil if no record keeps a history.
  init?(_ schema: StoreSchema) {
    records = schema.records.compactMap { record in
      let table = record.table
      guard !table.isView, let columns = record.type.historyColumns else { return nil }
      return Recorded(record: record, columns: columns.subtracting(table.key).sorted())
    }
    if records.isEmpty { return nil }
  }
}

// MARK: - Creation

extension HistoryTables {
  /// Creates the tables and triggers when a store is opened, unless they are there or the database is read-only.
  func open(_ writer: any DatabaseWriter) throws {
    if writer.configuration.readonly { return }
    try writer.writeWithoutTransaction { db in
      if db.sqliteConnection == nil { return }
      if try Self.exist(db), try records.allSatisfy({ try followedPlaces(of: $0, db) != nil }) { return }
      try db.inTransaction(.immediate) {
        try install(db)
        return .commit
      }
    }
  }

  /// Creates the tables and triggers, or brings them up to date. Writes nothing if they are: some reads of the schema
  /// for each record.
  ///
  /// - Throws: ``HistoryError/unsuitable(table:reason:)`` for a table whose changes can't be kept, and errors of the
  ///   database.
  func install(_ db: Database) throws {
    if try !Self.exist(db) {
      for sql in Self.definitions { try db.execute(sql: sql) }
    }
    for recorded in records { try install(recorded, db) }
  }

  private static let definitions = [
    "CREATE TABLE sanderling_history (id INTEGER PRIMARY KEY, record TEXT NOT NULL, existed INTEGER NOT NULL, "
      + "at REAL NOT NULL, k0)",
    "CREATE TABLE IF NOT EXISTS sanderling_history_columns (record TEXT NOT NULL, place INTEGER NOT NULL, "
      + "\"column\" TEXT, PRIMARY KEY (record, place))",
    "CREATE TABLE IF NOT EXISTS sanderling_history_commits (last INTEGER PRIMARY KEY, first INTEGER NOT NULL, "
      + "number INTEGER NOT NULL, operation TEXT NOT NULL, author TEXT, at REAL NOT NULL)",
    "CREATE TABLE IF NOT EXISTS sanderling_history_state (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, "
      + "pruned INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE IF NOT EXISTS sanderling_history_readers (name TEXT PRIMARY KEY, position INTEGER NOT NULL, "
      + "at REAL NOT NULL)",
    "INSERT OR REPLACE INTO sanderling_history_state (id, name) VALUES (1, lower(hex(randomblob(8))))",
  ]

  private func install(_ recorded: Recorded, _ db: Database) throws {
    let target: CaptureTarget
    do {
      target = try CaptureTarget(recorded.table, db)
    } catch let error as CaptureTarget.Obstructed {
      throw HistoryError.unsuitable(table: recorded.table.name, reason: error.obstacle.description)
    }
    let places = try assignPlaces(recorded, target, db)
    let columns = Set(try TableReader(Self.name, db).columns().map(\.name))
    let needed = recorded.table.key.indices.map { "k\($0)" } + places.values.sorted().map { "c\($0)" }
    for column in needed where !columns.contains(column) {
      try db.execute(sql: "ALTER TABLE main.sanderling_history ADD COLUMN \(column)")
    }
    try HistoryTriggers(recorded, target, places).triggers.install(on: recorded.table.name, prefix: Self.prefix, db)
  }

  /// Gives each kept column a place. A column keeps its place, and the place of a column that is gone is not used again:
  /// older rows of the history have its values there.
  private func assignPlaces(_ recorded: Recorded, _ target: CaptureTarget, _ db: Database) throws -> [Int: Int] {
    let table = recorded.table.name
    let known = try knownPlaces(table, db)
    for (place, name) in known {
      guard let name, target.column(name) == nil else { continue }
      try db.execute(
        sql: "UPDATE main.sanderling_history_columns SET \"column\" = NULL WHERE record = ? AND place = ?",
        arguments: [table, place])
    }
    var places: [Int: Int] = [:]
    var next = known.last.map { $0.place + 1 } ?? 0
    for column in recorded.columns {
      let name = recorded.table.columns[column].name
      if let place = known.first(where: { $0.name?.folded == name.folded })?.place {
        places[column] = place
        continue
      }
      try db.execute(
        sql: "INSERT INTO main.sanderling_history_columns (record, place, \"column\") VALUES (?, ?, ?)",
        arguments: [table, next, name])
      places[column] = next
      next += 1
    }
    return places
  }

  /// The places that columns of a table have, ascending. The name is nil for a column that is gone.
  private func knownPlaces(_ table: String, _ db: Database) throws -> [(place: Int, name: String?)] {
    try Row.fetchAll(
      db, sql: "SELECT place, \"column\" FROM main.sanderling_history_columns WHERE record = ? ORDER BY place",
      arguments: [table]
    ).map { ($0[0], $0[1]) }
  }
}

// MARK: - The present state

extension HistoryTables {
  /// Whether the database has the tables. Reads the schema once.
  static func exist(_ db: Database) throws -> Bool { try SchemaReader(db).object(named: name) != nil }

  /// The places of a record's kept columns; nil if the tables don't have all of them. The tables must exist.
  func places(of recorded: Recorded, _ db: Database) throws -> [Int: Int]? {
    let known = try knownPlaces(recorded.table.name, db)
    var places: [Int: Int] = [:]
    for column in recorded.columns {
      let name = recorded.table.columns[column].name.folded
      guard let place = known.first(where: { $0.name?.folded == name })?.place else { return nil }
      places[column] = place
    }
    return places
  }

  /// The places of a record's kept columns, if its table has all triggers of its history; nil otherwise. The tables must
  /// exist.
  func followedPlaces(of recorded: Recorded, _ db: Database) throws -> [Int: Int]? {
    guard let places = try places(of: recorded, db), let target = try? CaptureTarget(recorded.table, db) else {
      return nil
    }
    let existing = try NotingTriggers.existing(on: recorded.table.name, prefix: Self.prefix, db)
    let wanted = HistoryTriggers(recorded, target, places).triggers.triggers
    return wanted.allSatisfy(existing.contains) ? places : nil
  }
}
