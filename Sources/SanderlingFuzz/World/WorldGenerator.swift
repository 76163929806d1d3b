import Sanderling

/// Makes the database of a round.
struct WorldGenerator {
  private(set) var random: SeededGenerator

  init(random: SeededGenerator) {
    self.random = random
  }

  /// - Parameter hasForeignTypes: Whether the database declares other types than the records, as an existing database
  ///   of an app may.
  mutating func world(hasForeignTypes: Bool) -> World {
    let mixedPercent = hasForeignTypes ? random.element(of: [0, 0, 20]) : random.element(of: [0, 0, 3, 6, 12])
    let pool = ValuePool(
      mixedPercent: mixedPercent, nullPercent: random.element(of: [5, 15, 30]),
      noteKeyCount: random.element(of: [14, 70, 70]))
    let configuration = World.Configuration(
      opening: random.chance(65) ? .pool : .memory, enforcesForeignKeys: random.chance(75),
      hasRecursiveTriggers: random.chance(12),
      isSpaced: random.chance(20))
    let tables = fuzzRecords.map { table(of: $0, hasForeignTypes: hasForeignTypes) }
    var features = indexes(tables)
    if random.chance(50) { features += triggers(isRecursive: configuration.hasRecursiveTriggers) }
    if random.chance(75) { features += fuzzRecords.flatMap { $0.table.touchTriggerSQL } }
    if random.chance(40) { features += [SizedCrate.sql, PlaceLoad.sql] }
    var world = World(configuration: configuration, tables: tables, features: features, rows: [], pool: pool)
    world.rows = rows(of: world)
    world.configuration.isAudited = random.chance(30)
    world.configuration.acceptsQuotedTexts = random.chance(15)
    return world
  }

  // MARK: Tables

  private mutating func table(of record: any FuzzRecord.Type, hasForeignTypes: Bool) -> PhysicalTable {
    let isStrict = random.chance(6)
    var columns = record.table.columns.map { column -> PhysicalTable.Column in
      var type = isStrict && column.type == .real ? "ANY" : column.type.rawValue
      if hasForeignTypes && !isStrict { type = foreignType(column.type) ?? type }
      return PhysicalTable.Column(
        name: column.name, type: type, collation: column.collation.rawValue,
        isNotNull: !column.acceptsNull && random.chance(50))
    }
    if record.table.assignsKey, let index = record.table.key.first { columns[index].type = "INTEGER" }
    for index in columns.indices where random.chance(6) && !record.table.key.contains(index) {
      columns[index].clause =
        random.chance(50) ? " DEFAULT 1" : " CHECK (\(columns[index].name.quotedIdentifier) IS NOT 7)"
    }
    if random.chance(4), let index = columns.indices.filter({ record.kinds[$0] == .text }).randomElement(using: &random)
    {
      columns[index].collation = World.ownCollation
    }
    if random.chance(50) { columns.shuffle(using: &random) }
    var table = PhysicalTable(record: record, columns: columns)
    table.isStrict = isStrict
    table.isAutoincrement = random.chance(20)
    table.isWithoutRowID = !record.table.assignsKey && random.chance(30)
    table.keyForm = random.element(of: [.primaryKey, .primaryKey, .primaryKey, .primaryKey, .unique, .nullable])
    if random.chance(15) && !isStrict { table.extraColumns.append("\"note of the app\" TEXT DEFAULT 'x'") }
    if random.chance(8) && !isStrict {
      let column = random.element(of: columns).name.quotedIdentifier
      table.extraColumns.append("\"generated\" AS (length(\(column)))" + (random.chance(50) ? " STORED" : ""))
    }
    table.foreignKeys = foreignKeys(of: record)
    table.beginsWithDerived = random.chance(30)
    table.keepsDerived = random.chance(50)
    return table
  }

  /// Another type that the store accepts for values of a declared type.
  private mutating func foreignType(_ type: ColumnType) -> String? {
    guard random.chance(60) else { return nil }
    return switch type {
    case .integer: random.element(of: ["BIGINT", "NUMERIC", "BOOLEAN"])
    case .text: random.element(of: ["VARCHAR(20)", "CLOB", "DATETIME", "DATETIME"])
    case .real: random.element(of: ["REAL", "DOUBLE", "NUMERIC"])
    case .blob: random.element(of: ["BLOB", "TEXT", ""])
    }
  }

  private mutating func foreignKeys(of record: any FuzzRecord.Type) -> [PhysicalTable.ForeignKey] {
    let all: [String: [([String], String, [String])]] = [
      "place": [(["parentID"], "place", ["id"])],
      "person": [(["bossLogin"], "person", ["login"])],
      "crate": [(["placeID"], "place", ["id"]), (["ownerLogin"], "person", ["login"])],
      "tag": [(["crateID"], "crate", ["id"])],
      "note": [(["crateID"], "crate", ["id"]), (["tagCrateID", "tagWord"], "tag", ["crateID", "word"])],
    ]
    return random.some(of: all[record.table.name] ?? [], percent: 55).map { columns, destination, keys in
      let isPartOfKey = columns.contains { name in record.table.keyColumns.contains { $0.name == name } }
      // These actions could set a part of a row's key to NULL. A NULL key identifies no row, and a limited list finds its
      // rows by their keys.
      let settingNull = isPartOfKey ? [] : ["SET NULL", "SET DEFAULT"]
      let actions = ["NO ACTION", "RESTRICT", "CASCADE", "CASCADE", "CASCADE"] + settingNull
      var text = " ON DELETE \(random.element(of: actions)) ON UPDATE \(random.element(of: actions))"
      if random.chance(25) { text += " DEFERRABLE INITIALLY DEFERRED" }
      return PhysicalTable.ForeignKey(
        columns: columns, destination: destination, destinationColumns: keys, actions: text)
    }
  }

  // MARK: Indexes and triggers

  private mutating func indexes(_ tables: [PhysicalTable]) -> [String] {
    var indexes: [String] = []
    for table in tables {
      for _ in 0..<random.number(0..<3) { indexes.append(index(on: table, number: indexes.count)) }
      if random.chance(40) { indexes.append(uniqueIndex(on: table, number: indexes.count)) }
      for column in table.record.table.derivedColumns where random.chance(70) {
        indexes.append("CREATE INDEX app_derived_\(indexes.count) ON \(table.name) (\(column.quotedIdentifier))")
      }
    }
    return indexes
  }

  mutating func index(on table: PhysicalTable, number: Int) -> String {
    var parts = (0..<random.number(1..<4)).map { _ in
      indexedColumn(among: table.columns) + (random.chance(30) ? " DESC" : "")
    }
    parts = Self.distinct(parts)
    let condition =
      random.chance(10) ? " WHERE \(random.element(of: table.columns).name.quotedIdentifier) IS NOT NULL" : ""
    return "CREATE INDEX app_index_\(number) ON \(table.name) (\(parts.joined(separator: ", ")))" + condition
  }

  private static let tablesWithHistory = ["crate", "tag"]

  mutating func uniqueIndex(on table: PhysicalTable, number: Int) -> String {
    // The key's columns are unique anyway. A unique index of a part of them would allow only few rows.
    let others = table.columns.filter { !table.keyNames.contains($0.name) }
    var parts = (0..<random.element(of: [1, 2, 2, 3])).map { _ in
      indexedColumn(among: random.chance(85) ? others : table.columns)
    }
    parts = Self.distinct(parts)
    var condition = ""
    // No history can be kept of a table with such an index.
    if random.chance(8), !Self.tablesWithHistory.contains(table.name) { parts[0] = "lower(\(parts[0]))" }
    if random.chance(8) { condition = " WHERE \(random.element(of: table.columns).name.quotedIdentifier) > 2" }
    return "CREATE UNIQUE INDEX app_unique_\(number) ON \(table.name) (\(parts.joined(separator: ", ")))" + condition
  }

  /// Returns each column once. If an index has a column twice, SQLite 3.40 finds no rows by `(a, b) IN (SELECT …)`. The
  /// store finds the rows that wait to be folded by such a condition.
  private static func distinct(_ parts: [String]) -> [String] {
    var names: Set<Substring> = []
    return parts.filter { part in names.insert(part.split(separator: "\"")[0]).inserted }
  }

  private mutating func indexedColumn(among columns: [PhysicalTable.Column]) -> String {
    random.element(of: columns).name.quotedIdentifier
      + (random.chance(20) ? " COLLATE \(random.element(of: ["NOCASE", "RTRIM", "BINARY"]))" : "")
  }

  private mutating func triggers(isRecursive: Bool) -> [String] {
    var triggers = random.some(of: AppTriggers.safe, percent: 18)
    if !isRecursive { triggers += random.some(of: AppTriggers.touching, percent: 25) }
    return triggers
  }

  mutating func trigger() -> String {
    random.element(of: AppTriggers.safe)
  }

  // MARK: Rows

  private mutating func rows(of world: World) -> [String] {
    let most = random.element(of: [3, 10, 25, 60])
    return world.tables.flatMap { table in
      let inserts = (0..<random.number(0..<most)).map { _ in
        StatementGenerator.insert(into: table.record, pool: world.pool, using: &random)
      }
      guard world.pool.noteKeyCount > 14, [Note.self, Tag.self].contains(where: { $0 == table.record }) else {
        return inserts
      }
      return inserts + [
        StatementGenerator.insert(into: table.record, "INSERT OR IGNORE", rows: 60, pool: world.pool, using: &random)
      ]
    }
  }
}

/// Triggers of an app: they touch, audit, count, delete and refuse.
enum AppTriggers {
  /// Triggers that would call themselves if triggers were recursive.
  static let touching = [
    "CREATE TRIGGER app_touch_place AFTER UPDATE ON place BEGIN "
      + "UPDATE place SET rank = coalesce(rank, 0) + 1 WHERE id = NEW.id; END",
    "CREATE TRIGGER app_touch_crate AFTER UPDATE OF label, code ON crate BEGIN "
      + "UPDATE crate SET size = size + 1, label = label || 'x' WHERE id = NEW.id AND length(label) < 6; END",
    "CREATE TRIGGER app_touch_note AFTER INSERT ON note BEGIN UPDATE note SET stars = id WHERE id = NEW.id; END",
    "CREATE TEMP TRIGGER app_temp_touch AFTER UPDATE ON person BEGIN "
      + "UPDATE person SET age = coalesce(age, 0) + 1 WHERE login = NEW.login; END",
  ]

  static let safe = [
    "CREATE TRIGGER app_audit_insert AFTER INSERT ON crate BEGIN "
      + "INSERT INTO audit (what, value) VALUES ('insert', NEW.code); END",
    "CREATE TRIGGER app_audit_update AFTER UPDATE ON place BEGIN "
      + "INSERT INTO audit (what, value) VALUES ('update', NEW.name || OLD.name); END",
    "CREATE TRIGGER app_audit_delete BEFORE DELETE ON note BEGIN "
      + "INSERT INTO audit (what, value) VALUES ('delete', OLD.text); END",
    "CREATE TRIGGER app_count_up AFTER INSERT ON note BEGIN "
      + "UPDATE crate SET size = size + 1 WHERE id = NEW.crateID; END",
    "CREATE TRIGGER app_count_down AFTER DELETE ON note BEGIN "
      + "UPDATE crate SET size = size - 1 WHERE id = OLD.crateID; END",
    "CREATE TRIGGER app_rename AFTER UPDATE OF name ON place BEGIN "
      + "UPDATE crate SET label = NEW.name WHERE placeID = NEW.id; END",
    "CREATE TRIGGER app_before_insert BEFORE INSERT ON note BEGIN DELETE FROM note WHERE stars = NEW.stars; END",
    "CREATE TRIGGER app_before_update BEFORE UPDATE ON tag BEGIN "
      + "DELETE FROM tag WHERE strength = NEW.strength AND crateID = NEW.crateID AND word <> OLD.word; END",
    "CREATE TRIGGER app_ignore BEFORE UPDATE ON crate WHEN NEW.size < -2 BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TRIGGER app_refuse BEFORE DELETE ON place WHEN OLD.rank = 3 BEGIN SELECT RAISE(ABORT, 'refused'); END",
    "CREATE TRIGGER app_fail BEFORE DELETE ON crate WHEN OLD.size = 3 BEGIN SELECT RAISE(FAIL, 'refused'); END",
    "CREATE TRIGGER app_undo AFTER UPDATE ON note WHEN NEW.stars = 6 BEGIN SELECT RAISE(ROLLBACK, 'refused'); END",
    "CREATE TRIGGER app_child AFTER INSERT ON place WHEN NEW.parentID IS NULL AND NEW.rank > 4 BEGIN "
      + "INSERT INTO place (parentID, name, isOpen) VALUES (NEW.id, NEW.name, NEW.isOpen); END",
    "CREATE TRIGGER app_cascade AFTER DELETE ON crate BEGIN DELETE FROM note WHERE crateID = OLD.id; END",
    "CREATE TRIGGER app_replace AFTER UPDATE OF strength ON tag BEGIN "
      + "INSERT OR REPLACE INTO note (id, crateID, text, isDone) VALUES (NEW.strength, NEW.crateID, NEW.word, 0); END",
    "CREATE TEMP TRIGGER app_temp_audit AFTER INSERT ON tag BEGIN "
      + "UPDATE crate SET code = NEW.word WHERE id = NEW.crateID; END",
    "CREATE TEMP TRIGGER app_temp_place AFTER UPDATE ON crate BEGIN "
      + "INSERT INTO place (name, isOpen) SELECT NEW.label, 1 WHERE (SELECT COUNT(*) FROM place) < 30; END",
  ]
}
