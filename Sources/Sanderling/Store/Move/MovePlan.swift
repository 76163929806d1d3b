import SanderlingSQL

/// The move of one table, checked against its record.
struct MovePlan {
  /// The number of the plan among all of the move.
  let number: Int
  let table: DeclaredTable
  let source: String
  /// The moved columns, in the order of the record.
  let columns: [RecordColumn]
  /// The expressions of the columns.
  let expressions: [String]
  /// The position of the column with the entity's name; nil if the table has one entity.
  let entity: Int?

  /// The name of the function that checks and adds up rows.
  var function: String { "sanderling_moved_\(number)" }

  private var names: String { columns.map(\.name).quotedIdentifiers }
  private var list: String { expressions.joined(separator: ", ") }
  private var range: String { "rowid > ?1 AND rowid <= ?2" }
  private var name: String { "main.\(table.name.quotedIdentifier)" }
  private var oldName: String { "old.\(source.quotedIdentifier)" }

  /// Copies the fitting rows of a range.
  var copySQL: String {
    "INSERT INTO \(name) (\(names)) SELECT \(list) FROM \(oldName) WHERE \(range) AND \(function)(\(list))"
  }
  /// Finds the other rows of a range.
  var unfitSQL: String { "SELECT rowid FROM \(oldName) WHERE \(range) AND NOT \(function)(\(list))" }
  var oldRowSQL: String { "SELECT \(list) FROM \(oldName) WHERE rowid = ?" }
  var insertSQL: String {
    "INSERT INTO \(name) (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
  }
  /// Adds up a row of the new table.
  var addRowSQL: String { "SELECT \(function)(\(names)) FROM \(name) WHERE rowid = ?" }
  /// Adds up the rows of a range of the new table. The sum makes SQLite call the function for each row.
  var addRangeSQL: String { "SELECT sum(\(function)(\(names))) FROM \(name) WHERE \(range)" }
  var countSQL: String { "SELECT count(*) FROM \(oldName)" }
  /// The first key after a place.
  func nextSQL(isOld: Bool) -> String { "SELECT min(rowid) FROM \(isOld ? oldName : name) WHERE rowid > ?" }

  /// The key of a row of the new table.
  var keySQL: String { "SELECT \(table.key.quotedIdentifiers) FROM \(name) WHERE rowid = ?" }

  /// The values of the key's columns among those of all moved columns.
  func keyValues(_ values: [StorageValue]) -> [StorageValue] {
    table.key.map { name in columns.firstIndex { $0.name == name }.map { values[$0] } ?? .null }
  }

  /// The text of a key, for reports.
  func key(_ values: [StorageValue]) -> String {
    zip(table.key, values).map { name, value in
      switch value {
      case .integer(let integer): "\(name) \(integer)"
      // A message contains no other stored values.
      default: "\(name) of type \(value.storageClassName)"
      }
    }.joined(separator: ", ")
  }
}

extension StoreMove {
  /// - Throws: ``StoreMoveError/declaration(table:reason:)``; ``SchemaError``.
  func plans() throws -> [MovePlan] {
    let declared = try StoreSchema(schema)
    var plans: [MovePlan] = []
    for table in tables {
      let definition = table.record.table
      func refuse(_ reason: String) -> StoreMoveError { .declaration(table: definition.name, reason: reason) }
      guard let target = declared.tables.first(where: { $0.name == definition.name }) else {
        throw refuse("it is no table of the schema")
      }
      if plans.contains(where: { $0.table.name == target.name }) { throw refuse("it is moved twice") }
      for column in table.columns where !definition.columns.contains(where: { $0.name == column.name }) {
        throw refuse("the record has no column \(column.name)")
      }
      var (columns, expressions): ([RecordColumn], [String]) = ([], [])
      for column in definition.columns {
        if let expression = table.columns.first(where: { $0.name == column.name }) {
          columns.append(column)
          expressions.append(expression.sql)
        } else if !column.acceptsNull,
          target.column(column.name)?.defaultValue == nil || target.key.contains(column.name)
        {
          throw refuse("the column \(column.name) has no expression")
        }
      }
      let entity = table.entity.flatMap { name in columns.firstIndex { $0.name == name } }
      if table.entity != nil, entity == nil { throw refuse("the column of the entity has no expression") }
      plans.append(
        MovePlan(
          number: plans.count, table: target, source: table.source, columns: columns, expressions: expressions,
          entity: entity))
    }
    return plans
  }
}
