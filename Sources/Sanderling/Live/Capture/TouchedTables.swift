import GRDB

/// The followed tables that the statements of the running transaction may have written, even if they wrote no row.
///
/// Before each statement, GRDB reports the tables that it may write, with those of its triggers and foreign key
/// actions. It reports names without schemas, so tables of one name in two attached databases count as one. SQLite's
/// update hook costs more, and does not report tables without rowid. Belongs to the writer's queue.
struct TouchedTables {
  private let followed: FollowedTables
  private var tables: Set<String> = []
  /// The folded name of each table that is followed, by the name that GRDB reports; nil for other tables.
  private var decisions: [String: String?] = [:]
  private var generation: UInt64 = 0

  init(_ followed: FollowedTables) {
    self.followed = followed
  }

  var isFollowing: Bool { !followed.isEmpty }

  var isEmpty: Bool { tables.isEmpty }

  mutating func note(_ kind: DatabaseEventKind) {
    let current = followed.currentGeneration
    if generation != current {
      generation = current
      decisions = [:]
    }
    let name =
      switch kind {
      case .insert(let table), .delete(let table), .update(let table, _): table
      }
    if let decision = decisions[name] {
      if let table = decision { tables.insert(table) }
      return
    }
    let folded = name.asciiLowercased
    let decision = followed.contains(folded) ? folded : nil
    decisions[name] = .some(decision)
    if let decision { tables.insert(decision) }
  }

  /// Notes that a statement may have created, changed or dropped a table of any schema. A query written by hand may
  /// then read another table of the same name.
  mutating func noteSchema() {
    tables.insert(Self.schema)
  }

  /// The name for the schemas of all databases.
  static let schema = "sqlite_schema"

  mutating func takeAll() -> Set<String> {
    defer { removeAll() }
    return tables
  }

  mutating func removeAll() {
    tables.removeAll(keepingCapacity: true)
  }
}

extension DatabaseEventKind {
  /// Whether the event concerns a schema table, of the database, an attached one or temporary objects.
  var isOfSchema: Bool {
    switch self {
    case .insert(let table), .delete(let table), .update(let table, _):
      table == "sqlite_master" || table == "sqlite_temp_master"
    }
  }
}
