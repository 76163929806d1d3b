import GRDB

/// The followed tables that the statements of the current transaction may have written, whether or not a row changed.
///
/// Before each statement, GRDB names the tables that it may write, including those of its triggers and foreign key
/// actions. It gives their names alone, so that tables of the same name in two attached databases count as one. The
/// hook for rows knows nothing of tables without rowid, and costs more. Belongs to the writer's queue.
struct TouchedTables {
  private let followed: FollowedTables
  private var tables: Set<String> = []
  /// The folded names of the tables that are followed, and nil for others, by the names that GRDB tells.
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

  /// Notes that a statement may have created, changed or dropped a table of any schema. Handwritten queries may then
  /// read another table of the same name.
  mutating func noteSchema() {
    tables.insert(Self.schema)
  }

  /// Stands for the schemas of all databases.
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
  /// Whether it is about a table in which SQLite keeps a schema, of the database, of an attached one or of temporary objects.
  var isOfSchema: Bool {
    switch self {
    case .insert(let table), .delete(let table), .update(let table, _):
      table == "sqlite_master" || table == "sqlite_temp_master"
    }
  }
}
