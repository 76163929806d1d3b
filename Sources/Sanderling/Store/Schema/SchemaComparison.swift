import GRDB
import SanderlingSQL

/// Finds the differences between the records and a database.
struct SchemaComparison {
  /// The owner of the database's schema.
  enum Ownership {
    /// The store migrates the database. Its earlier notes show which objects the records no longer declare.
    case store(SchemaRecord)
    /// The app migrates the database.
    case app
  }

  let schema: StoreSchema
  let reader: SchemaReader
  let ownership: Ownership

  static func plan(_ db: Database, schema: StoreSchema, ownership: Ownership) throws -> SchemaPlan {
    let comparison = SchemaComparison(schema: schema, reader: try SchemaReader(db), ownership: ownership)
    return SchemaPlan(differences: try comparison.encoding(db) + comparison.tables(db) + comparison.droppedTables())
  }

  /// The columns that records read and that views lack. A store's extras create the views after its tables.
  static func viewDifferences(_ db: Database, schema: StoreSchema, _ reader: SchemaReader) throws -> [SchemaPlan
    .Difference]
  {
    try schema.views.flatMap { view -> [SchemaPlan.Difference] in
      guard let object = reader.object(named: view.name) else {
        return [
          .refused(
            view.name, "there is no such view",
            because: "The app must create the view, in the extras of its store or in its own migrations.")
        ]
      }
      let columns = try TableReader(view.name, db).columns()
      let rowID = rowIDNames(of: object)
      return view.columns.filter { columns.named($0.name) == nil && !rowID.contains($0.name.folded) }.map { column in
        .refused(
          view.name, "the view has no column \(column.name.quotedIdentifier)",
          because: "Recreate the view with this column, or name the view's column with @Stored(\"…\").")
      }
    }
  }

  /// The names of the rowid, for a record that only reads a table. Views have none.
  private static func rowIDNames(of object: SchemaObject) -> [FoldedName] {
    guard object.type == "table", let sql = object.sql, CreateTableSyntax(sql)?.isWithoutRowID != true else {
      return []
    }
    return ActualColumn.rowIDNames.folded
  }

  var isOwned: Bool {
    if case .store = ownership { true } else { false }
  }

  private func encoding(_ db: Database) throws -> [SchemaPlan.Difference] {
    guard let encoding = try String.fetchOne(db, sql: "PRAGMA main.encoding"), encoding != "UTF-8" else { return [] }
    return [
      .refused(
        nil, "the database's encoding is \(encoding)",
        because:
          "With this encoding, SQLite sorts texts in another order than by UTF-8. The encoding of a database can't be changed: "
          + "copy all tables to a new database.")
    ]
  }

  private func tables(_ db: Database) throws -> [SchemaPlan.Difference] {
    // A store's file is still the store's if the app's own connection opened it, or if it is opened read-only.
    let made = try Set((record ?? SchemaRecord(db, reader)).tables.keys)
    var differences: [SchemaPlan.Difference] = []
    for table in schema.tables {
      guard let object = reader.object(named: table.name) else {
        differences += missing(table)
        continue
      }
      guard let actual = try reader.table(named: table.name) else {
        let kind = object.type == "table" ? "virtual table" : object.type
        differences.append(
          .refused(
            table.name, "there is \(kind == "index" ? "an" : "a") \(kind) of this name",
            because: "Records are stored in ordinary tables. Give the record another table with @Record(\"…\"), or "
              + "rename the \(kind)."))
        continue
      }
      let isMade = made.contains(table.name.folded) || !StoredForms.areCompared.load(ordering: .relaxed)
      let comparison = TableComparison(
        declared: table, actual: actual, recorded: record?.tables[table.name.folded]?.syntax, isOwned: isOwned,
        forms: isMade ? nil : try FormComparison(table, actual, reader, db))
      differences += try comparison.differences(db)
      differences +=
        IndexComparison(
          table: table, actual: actual, reader: reader, ours: record?.indexes ?? [], isOwned: isOwned
        ).differences
      differences += try TriggerComparison(table: table, reader: reader, isOwned: isOwned).differences(db)
      differences += SearchComparison(table: table, actual: actual, reader: reader, isOwned: isOwned).differences
    }
    return differences
  }

  private var record: SchemaRecord? {
    if case .store(let record) = ownership { record } else { nil }
  }

  private func missing(_ table: DeclaredTable) -> [SchemaPlan.Difference] {
    if isOwned {
      func isTaken(_ index: DeclaredIndex) -> Bool {
        reader.object(named: index.name).map { $0.type != "index" } ?? false
      }
      let taken = table.indexes.filter(isTaken)
      // A dropped table leaves these tables behind.
      let search = table.searchIndex.map { index in
        let names = Set(index.tables.map(\.name.folded))
        return SearchComparison.creation(
          of: index,
          replacing: reader.objects.filter { $0.type == "table" && names.contains($0.name.folded) }.map(\.name))
      }
      return [.additive(table.name, "create the table", .createTable(table))]
        + table.indexes.filter { !isTaken($0) }.map {
          IndexComparison.creation(of: $0, replacing: reader.object(named: $0.name))
        }
        + taken.map { IndexComparison.nameIsTaken($0) }
        + (table.triggers.isEmpty ? [] : [TriggerComparison.creation(of: table, replacing: [], reader)])
        + [search].compactMap { $0 }
    }
    return [
      .refused(
        table.name, "there is no such table", because: "The app's own migrations must create it.",
        [
          ExplicitStep(
            "Register", name: "create \(table.name)", onlyWith: .noTable(table.name), statements: table.statements)
        ])
    ]
  }

  /// The tables that the store created for records that are no longer in the schema.
  private func droppedTables() throws -> [SchemaPlan.Difference] {
    guard let record else { return [] }
    let declared = Set(schema.tables.map(\.name.folded))
    let new = schema.tables.filter { reader.object(named: $0.name) == nil }
    return record.tables.sorted { $0.value.name < $1.value.name }.compactMap { name, recorded in
      guard !declared.contains(name), reader.object(named: recorded.name)?.type == "table" else { return nil }
      let columns = Set(recorded.syntax.columns.map(\.name.folded))
      let renamed = new.filter { table in
        let common = table.columns.filter { columns.contains($0.name.folded) }
        return common.count * 2 > max(columns.count, table.columns.count)
      }
      return .refused(
        recorded.name, "no record has this table any more",
        because: "Dropping it would lose its rows. A newer version of the app may have created it.",
        renamed.map { .rename(table: recorded.name, to: $0.name) } + [.drop(table: recorded.name)])
    }
  }
}
