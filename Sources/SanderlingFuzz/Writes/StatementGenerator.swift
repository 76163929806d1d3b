import Sanderling

/// Makes statements that change the tables of a world.
struct StatementGenerator {
  let world: World
  var random: SeededGenerator

  init(_ world: World, random: SeededGenerator) {
    self.world = world
    self.random = random
  }

  mutating func step(_ kind: WriteKind) -> WriteStep {
    var record = random.element(of: fuzzRecords)
    // Only a table with a version counter shows whether an upsert leaves the counter to the database.
    if kind == .recordUpsert, random.chance(50) { record = Person.self }
    switch kind {
    case .recordInsert: return .record(.insert, record, recordValues(record))
    case .recordUpsert: return .record(.upsert, record, recordValues(record))
    case .recordUpdate: return .record(.update, record, recordValues(record))
    case .recordDelete: return .record(.delete, record, recordValues(record))
    case .recordInsertMany: return .record(.insertMany, Note.self, recordValues(Note.self))
    case .recordUpsertText, .recordAssign:
      let record: any FuzzRecord.Type = random.chance(60) ? Note.self : Place.self
      return .record(kind == .recordAssign ? .assign : .upsertText, record, recordValues(record))
    case .bigValues: return bigValues()
    case .savepoint, .undoneSavepoint:
      let kinds = WriteKind.allCases.filter {
        ![.bigInsert, .bigDelete, .deleteAll, .bigValues, .recordInsertMany].contains($0)
      }
      let steps = (0..<random.number(1..<4)).map { _ in step(random.element(of: kinds)) }
      return .savepoint(steps, isUndone: kind == .undoneSavepoint)
    default:
      return .sql(kind, sql(kind, record), isCached: random.chance(30))
    }
  }

  private mutating func sql(_ kind: WriteKind, _ record: any FuzzRecord.Type) -> String {
    let table = record.table.name
    switch kind {
    case .insert: return insert(record)
    case .insertMany: return insert(record, rows: random.number(2..<6))
    case .insertOrReplace: return insert(record, "INSERT OR REPLACE", rows: random.number(1..<3))
    case .refill: return insert(record, "INSERT OR REPLACE", rows: random.number(8..<20))
    case .wave: return wave()
    case .insertOrIgnore: return insert(record, "INSERT OR IGNORE", rows: random.number(1..<4))
    case .insertOrRollback: return insert(record, "INSERT OR ROLLBACK")
    case .insertOrFail:
      return insert(record, random.chance(50) ? "INSERT OR FAIL" : "INSERT OR ABORT", rows: random.number(1..<4))
    case .upsert:
      let key = record.table.keyColumns.map(\.name.quotedIdentifier).joined(separator: ", ")
      let target = random.chance(80) ? " (\(key))" : ""
      let condition = random.chance(30) ? " WHERE \(condition(on: record))" : ""
      return insert(record) + " ON CONFLICT\(target) DO UPDATE SET \(upsertAssignments(record))" + condition
    case .upsertNothing: return insert(record, rows: random.number(1..<3)) + " ON CONFLICT DO NOTHING"
    case .insertSelect: return insertSelect(record)
    case .update: return "UPDATE \(table) SET \(assignments(record)) WHERE \(keyCondition(record))"
    case .updateWhere: return "UPDATE \(table) SET \(assignments(record)) WHERE \(condition(on: record))"
    case .updateAll: return "UPDATE \(table) SET \(assignments(record))"
    case .updateOrReplace: return update(record, "REPLACE")
    case .updateOrIgnore: return update(record, "IGNORE")
    case .updateOrRollback: return update(record, random.element(of: ["ROLLBACK", "FAIL", "ABORT"]))
    case .updateFrom: return updateFrom()
    case .keyChange: return keyChange(record)
    case .reparent: return reparent()
    case .toggle: return toggle()
    case .unchanged: return unchanged(record)
    case .unreadable: return unreadable()
    case .delete: return "DELETE FROM \(table) WHERE \(keyCondition(record))"
    case .deleteWhere:
      let condition = random.chance(40) ? keyRange(record) : condition(on: record)
      return "DELETE FROM \(table) WHERE \(condition)"
    case .deleteAll: return "DELETE FROM \(table)"
    case .bigInsert: return bigInsert(record)
    case .bigDelete: return bigDelete(record)
    case .bigValues, .savepoint, .undoneSavepoint, .recordInsert, .recordUpsert, .recordUpdate, .recordDelete,
      .recordInsertMany, .recordUpsertText, .recordAssign:
      preconditionFailure("it is no statement")
    }
  }

  /// Statements that change a row and the rows that refer to it.
  mutating func family() -> [WriteStep] {
    let key = ValuePool.crateKey(random.number(1..<12)).literal
    let own: [(WriteKind, String)] = [
      (.delete, "DELETE FROM crate WHERE id = \(key)"),
      (.reparent, "UPDATE crate SET placeID = \(random.number(1..<15)) WHERE id = \(key)"),
      (.toggle, "UPDATE crate SET isSealed = NOT isSealed WHERE id = \(key)"),
    ]
    let below: [(WriteKind, String)] = [
      (.deleteWhere, "DELETE FROM note WHERE crateID = \(key)"),
      (.reparent, "UPDATE note SET crateID = \(key) WHERE id < \(random.number(2..<8))"),
      (.toggle, "UPDATE note SET isDone = NOT isDone WHERE crateID = \(key)"),
      (.deleteWhere, "DELETE FROM tag WHERE crateID = \(key)"),
    ]
    let statements = [random.element(of: own), random.element(of: below), random.element(of: below)]
    return statements.shuffled(using: &random).map { .sql($0, $1, isCached: false) }
  }

  // MARK: Inserting

  static func insert(
    into record: any FuzzRecord.Type, _ verb: String = "INSERT", rows: Int = 1, pool: ValuePool,
    using random: inout SeededGenerator
  ) -> String {
    let table = record.table
    let columns = table.columns.indices.filter { table.key.contains($0) || random.chance(93) }
    let names = columns.map { table.columns[$0].name.quotedIdentifier }.joined(separator: ", ")
    let tuples = (0..<rows).map { _ in
      let values = columns.map { value(of: record, column: $0, pool, using: &random).literal }
      return "(\(values.joined(separator: ", ")))"
    }
    return "\(verb) INTO \(table.name) (\(names)) VALUES \(tuples.joined(separator: ", "))"
  }

  private mutating func insert(_ record: any FuzzRecord.Type, _ verb: String = "INSERT", rows: Int = 1) -> String {
    Self.insert(into: record, verb, rows: rows, pool: world.pool, using: &random)
  }

  /// A value that a statement could store in the column.
  private static func value(
    of record: any FuzzRecord.Type, column: Int, _ pool: ValuePool, using random: inout SeededGenerator
  ) -> StorageValue {
    let table = record.table
    let kind = record.kinds[column]
    if table.key.contains(column) {
      if table.assignsKey && random.chance(40) { return .null }
      let isStrange = pool.mixedPercent > 0 && !table.assignsKey && random.chance(3)
      return isStrange ? pool.mixed(using: &random) : pool.natural(kind, using: &random)
    }
    if table.columns[column].acceptsNull { return pool.value(kind, using: &random) }
    return pool.mixedPercent > 0 && random.chance(4) ? .null : pool.nonNull(kind, using: &random)
  }

  private mutating func insertSelect(_ record: any FuzzRecord.Type) -> String {
    let table = record.table
    let names = table.columns.map(\.name.quotedIdentifier)
    let selected = table.columns.indices.map { index -> String in
      guard table.key.contains(index) else { return names[index] }
      return switch record.kinds[index] {
      case .placeKey, .noteKey: "\(names[index]) + \(random.number(1..<5))"
      case .crateKey: random.chance(50) ? names[index] : value(of: record, index).literal
      default: "\(names[index]) || \(random.element(of: ["'x'", "'1'", "''"]))"
      }
    }
    let verb = random.element(of: ["INSERT OR IGNORE", "INSERT OR REPLACE", "INSERT"])
    return "\(verb) INTO \(table.name) (\(names.joined(separator: ", "))) SELECT \(selected.joined(separator: ", ")) "
      + "FROM \(table.name) WHERE \(condition(on: record)) LIMIT \(random.number(1..<8))"
  }

  private mutating func recordValues(_ record: any FuzzRecord.Type) -> [StorageValue] {
    record.table.columns.indices.map { index in
      let column = record.table.columns[index]
      let percent = column.touch == nil ? world.pool.nullPercent : 60
      let isNull = column.acceptsNull && random.chance(percent) && !record.table.key.contains(index)
      return isNull ? .null : world.pool.natural(record.kinds[index], using: &random)
    }
  }

  private mutating func value(of record: any FuzzRecord.Type, _ column: Int) -> StorageValue {
    Self.value(of: record, column: column, world.pool, using: &random)
  }

  // MARK: Updating

  private mutating func update(_ record: any FuzzRecord.Type, _ resolution: String) -> String {
    if random.chance(60) { return copy(record, resolution) }
    var changes = assignments(record)
    if random.chance(50) { changes = keyAssignment(record) + ", " + changes }
    let condition = random.chance(60) ? keyCondition(record) : condition(on: record)
    return "UPDATE OR \(resolution) \(record.table.name) SET \(changes) WHERE \(condition)"
  }

  /// Copies all values of another row except its key into a row, and so violates any unique index.
  private mutating func copy(_ record: any FuzzRecord.Type, _ resolution: String) -> String {
    let table = record.table
    let names = table.columns.indices.filter { !table.key.contains($0) }.map { table.columns[$0].name.quotedIdentifier }
    let columns = names.joined(separator: ", ")
    let key = record.table.keyColumns.map(\.name.quotedIdentifier).joined(separator: ", ")
    // A row selected by its position exists; one selected by a random key mostly does not.
    let condition =
      random.chance(70)
      ? "(\(key)) = (SELECT \(key) FROM \(table.name) ORDER BY \(key) LIMIT 1 OFFSET \(random.number(0..<6)))"
      : keyCondition(record)
    return "UPDATE OR \(resolution) \(table.name) SET (\(columns)) = (SELECT \(columns) FROM \(table.name) "
      + "ORDER BY \(names[0]) LIMIT 1 OFFSET \(random.number(0..<6))) WHERE \(condition)"
  }

  /// New values for one to three columns outside the key.
  private mutating func assignments(_ record: any FuzzRecord.Type) -> String {
    let columns = record.table.columns.indices.filter { !record.table.key.contains($0) }.shuffled(using: &random)
    return columns.prefix(random.number(1..<4)).map { assignment(record, $0) }.joined(separator: ", ")
  }

  private mutating func assignment(_ record: any FuzzRecord.Type, _ column: Int) -> String {
    let name = record.table.columns[column].name.quotedIdentifier
    let kind = record.kinds[column]
    if kind == .integer && random.chance(30) { return "\(name) = \(name) + \(random.element(of: ["1", "-1", "2"]))" }
    if kind == .flag && random.chance(40) { return "\(name) = NOT \(name)" }
    return "\(name) = \(value(of: record, column).literal)"
  }

  private mutating func upsertAssignments(_ record: any FuzzRecord.Type) -> String {
    let columns = record.table.columns.indices.filter { !record.table.key.contains($0) }.shuffled(using: &random)
    return columns.prefix(random.number(1..<4)).map { column in
      let name = record.table.columns[column].name.quotedIdentifier
      return random.chance(70) ? "\(name) = excluded.\(name)" : assignment(record, column)
    }.joined(separator: ", ")
  }

  private mutating func updateFrom() -> String {
    random.element(of: [
      "UPDATE crate SET label = place.name FROM place WHERE place.id = crate.placeID AND place.isOpen = 1",
      "UPDATE note SET stars = tag.strength, isDone = 1 FROM tag "
        + "WHERE tag.crateID = note.tagCrateID AND tag.word = note.tagWord",
      "UPDATE crate SET size = coalesce(place.rank, 0) FROM place WHERE place.id = crate.placeID",
      "UPDATE place SET parentID = other.parentID FROM place AS other WHERE other.id = place.parentID",
      "UPDATE person SET age = crate.size FROM crate WHERE crate.ownerLogin = person.login AND crate.isSealed",
    ])
  }

  private mutating func keyAssignment(_ record: any FuzzRecord.Type) -> String {
    let column = random.element(of: record.table.key)
    let name = record.table.columns[column].name.quotedIdentifier
    let kind = record.kinds[column]
    if kind.isNumber && random.chance(40) {
      return "\(name) = \(name) + \(random.element(of: ["1", "3", "-2", "100"]))"
    }
    if kind.isText && random.chance(30) { return "\(name) = \(random.element(of: ["upper", "lower"]))(\(name))" }
    return "\(name) = \(world.pool.natural(kind, using: &random).literal)"
  }

  private mutating func keyChange(_ record: any FuzzRecord.Type) -> String {
    let verb = random.element(of: ["UPDATE", "UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE"])
    let condition = random.chance(60) ? keyCondition(record) : condition(on: record)
    return "\(verb) \(record.table.name) SET \(keyAssignment(record)) WHERE \(condition)"
  }

  private mutating func reparent() -> String {
    let links: [(record: any FuzzRecord.Type, column: String)] = [
      (Place.self, "parentID"), (Crate.self, "placeID"), (Crate.self, "ownerLogin"), (Person.self, "bossLogin"),
      (Note.self, "crateID"), (Note.self, "tagWord"), (Tag.self, "crateID"),
    ]
    let link = random.element(of: links)
    let table = link.record.table
    guard let column = table.columns.firstIndex(where: { $0.name == link.column }) else {
      preconditionFailure("\(table.name) has a column \(link.column)")
    }
    let condition = random.chance(60) ? keyCondition(link.record) : condition(on: link.record)
    return "UPDATE \(table.name) SET \(link.column) = \(value(of: link.record, column).literal) WHERE \(condition)"
  }

  private mutating func unchanged(_ record: any FuzzRecord.Type) -> String {
    let names = record.table.columns.map(\.name.quotedIdentifier)
    let name = random.element(of: names)
    return "UPDATE \(record.table.name) SET \(name) = \(name)"
      + (random.chance(60) ? " WHERE \(keyCondition(record))" : "")
  }

  // MARK: Conditions

  mutating func keyCondition(_ record: any FuzzRecord.Type) -> String {
    record.table.key.map { index in
      let value = world.pool.natural(record.kinds[index], using: &random)
      return "\(record.table.columns[index].name.quotedIdentifier) = \(value.literal)"
    }.joined(separator: " AND ")
  }

  /// The keys on one side of a random key.
  mutating func keyRange(_ record: any FuzzRecord.Type) -> String {
    let column = random.element(of: record.table.key)
    let value = world.pool.natural(record.kinds[column], using: &random).literal
    return "\(record.table.columns[column].name.quotedIdentifier) \(random.element(of: ["<", ">"])) \(value)"
  }

  mutating func condition(on record: any FuzzRecord.Type) -> String {
    let column = random.number(0..<record.table.columns.count)
    let name = record.table.columns[column].name.quotedIdentifier
    if random.chance(10) { return "\(name) IS NULL" }
    let op = random.element(of: ["=", "=", "<", ">", ">=", "<>", "IS"])
    return "\(name) \(op) \(world.pool.nonNull(record.kinds[column], using: &random).literal)"
  }
}
