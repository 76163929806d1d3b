import SanderlingSQL

/// A record's table, with the objects that a database must have for it.
struct DeclaredTable: Hashable, Sendable {
  let name: String
  let columns: [DeclaredColumn]
  let key: [String]
  /// Whether SQLite assigns the key. Then the key must be the rowid.
  let assignsKey: Bool
  let foreignKeys: [TableForeignKey]
  let indexes: [DeclaredIndex]
  /// The triggers, in the order in which they must be created.
  let triggers: [DeclaredTrigger]
  /// The full-text indexes of the table's texts, with their tables.
  let searchIndex: SearchIndex?
  let isView: Bool

  /// Compiles a record's table.
  ///
  /// - Parameter references: The references to the table's rows that are deleted with them.
  init(
    _ definition: RecordTable, record: String, deletedWith references: [DeletionTrigger.Reference],
    _ validation: inout SchemaValidation
  ) {
    validation.checkColumns(of: definition, record: record)
    name = definition.name
    isView = definition.isView
    key = definition.keyColumns.map(\.name)
    assignsKey = definition.assignsKey
    let isRowID = definition.keyIsRowID
    columns =
      definition.columns.enumerated().map { index, column in
        let isOnlyKey = definition.key == [index]
        return DeclaredColumn(
          column, isKey: definition.key.contains(index), isRowID: isOnlyKey && isRowID,
          isAssigned: isOnlyKey && definition.assignsKey)
      }
      + definition.declaredDerivedColumns
    searchIndex = definition.isView ? nil : definition.searchIndex
    var foreignKeys: [TableForeignKey] = []
    for reference in definition.references {
      guard let column = definition.column(ofProperty: reference.property) else {
        validation.report("\(record) has no stored property '\(reference.property)' for its reference")
        continue
      }
      guard let destination = validation.destination(of: reference, from: column, record: record) else { continue }
      foreignKeys.append(
        TableForeignKey(
          columns: [column.name], parent: destination.name, parentColumns: destination.keyColumns.map(\.name),
          onDelete: reference.onDelete.rawValue, onUpdate: reference.onUpdate.rawValue))
    }
    self.foreignKeys = foreignKeys
    indexes = Self.indexes(of: definition, record: record, foreignKeys: foreignKeys, &validation)
    let deletion = DeletionTrigger(definition, referredToBy: references)?.trigger
    triggers =
      definition.isView
      ? []
      : TouchTriggers(definition).triggers + FoldTriggers(definition).triggers
        + SearchTriggers(definition).triggers + (deletion.map { [$0] } ?? [])
  }

  private static func indexes(
    of definition: RecordTable, record: String, foreignKeys: [TableForeignKey], _ validation: inout SchemaValidation
  ) -> [DeclaredIndex] {
    var indexes: [DeclaredIndex] = []
    for index in definition.indexes {
      do {
        indexes.append(try DeclaredIndex(index, table: definition))
      } catch {
        validation.report("an index of \(record) can't be made: \(error)")
      }
    }
    var leading = Set(indexes.compactMap(\.leadingColumn))
    if let first = definition.keyColumns.first { leading.insert(first.name.folded) }
    for column in foreignKeys.flatMap(\.columns) where leading.insert(column.folded).inserted {
      indexes.append(DeclaredIndex(findingRowsBy: column, table: definition.name))
    }
    for column in definition.derivedColumns where leading.insert(column.folded).inserted {
      indexes.append(DeclaredIndex(findingRowsBy: column, table: definition.name))
    }
    return indexes
  }

  func column(_ name: String) -> DeclaredColumn? {
    columns.first { $0.name.folded == name.folded }
  }

  func foreignKey(of column: String) -> TableForeignKey? {
    foreignKeys.first { $0.columns.folded == [column.folded] }
  }

  /// The statements that create the table, its indexes and its triggers.
  var statements: [String] {
    [sql] + indexes.map(\.sql) + (searchIndex?.tables.map(\.sql) ?? []) + triggers.map(\.sql)
  }

  /// The statement that creates the table.
  var sql: String {
    sql(named: name)
  }

  func sql(named name: String) -> String {
    var lines = columns.map { $0.definition() }
    if !columns.contains(where: \.isRowID) { lines.append("PRIMARY KEY (\(key.quotedIdentifiers))") }
    lines += foreignKeys.map(\.constraint)
    return "CREATE TABLE \(name.quotedIdentifier) (\n  " + lines.joined(separator: ",\n  ") + "\n)"
  }
}

extension RecordTable {
  /// The columns without a property: folded texts and document numbers.
  var declaredDerivedColumns: [DeclaredColumn] {
    folded.map {
      DeclaredColumn($0.definition, isKey: false, isRowID: false, isAssigned: false, isFolded: true)
    }
      + (searchIndex?.hasDocumentColumn == true ? [SearchIndex.documentDefinition] : []).map {
        DeclaredColumn($0, isKey: false, isRowID: false, isAssigned: false)
      }
  }
}
