import SanderlingSQL

/// Finds declarations that contradict each other, and reports them with the names of the record types.
struct SchemaValidation {
  private let definitions: [FoldedName: (record: String, definition: RecordTable)]
  private(set) var problems: [String] = []

  init(_ definitions: [(record: String, definition: RecordTable)]) {
    var byName: [FoldedName: (record: String, definition: RecordTable)] = [:]
    for entry in definitions {
      let name = entry.definition.name
      let other = byName[name.folded]
      if let other, other.record == entry.record {
        problems.append("\(entry.record) is listed twice")
      } else if let other, !other.definition.isView, !entry.definition.isView {
        problems.append(
          "\(other.record) and \(entry.record) have the same table, \(name.quotedIdentifier): "
            + "give one of them another name with @Record(\"…\"), or let one only read the table with @Record(view: \"…\")"
        )
      }
      if ["sqlite_", "sanderling_", "grdb_"].contains(where: name.folded.hasPrefix) {
        problems.append("\(entry.record): the table's name \(name.quotedIdentifier) has a reserved prefix")
      }
      // Records that only read the table come after the record that stores it.
      if other == nil || !entry.definition.isView { byName[name.folded] = entry }
    }
    self.definitions = byName
  }

  mutating func report(_ problem: String) {
    problems.append(problem)
  }

  mutating func checkColumns(of definition: RecordTable, record: String) {
    if definition.columns.isEmpty { report("\(record) has no stored properties") }
    if definition.isView { checkView(definition, record: record) }
    var properties: [FoldedName: String] = [:]
    for column in definition.columns {
      if let other = properties.updateValue(column.property, forKey: column.name.folded) {
        report(
          "\(record).\(other) and \(record).\(column.property) have the same column, \(column.name.quotedIdentifier)")
      }
      if case .invalid(let reason) = column.defaultValue {
        report("the default of \(record).\(column.property) can't be stored: \(reason)")
      }
      if let problem = column.touchProblem { report("\(record).\(column.property) \(problem)") }
    }
    for folded in definition.folded {
      let source = "\(record).\(definition.columns[folded.text].property)"
      if let other = properties.updateValue("", forKey: folded.name.folded) {
        report(
          "\(source) is searchable, so its folded text has the column \(folded.name.quotedIdentifier), which "
            + "\(record).\(other) has: give that property another column with @Stored(\"…\")")
      }
      if ![definition.name, folded.name].allSatisfy(FoldMark.canHold) {
        report("\(source) is searchable, so the names of its table and column can't contain */")
      }
    }
    for column in definition.columns where !column.searchKinds.isEmpty {
      let source = "\(record).\(column.property)"
      if column.type != .text {
        report("\(source) is stored as \(column.type.title), and only texts are searchable")
      }
      if definition.isView { report("\(source) belongs to a view, which has no indexes: leave @Searchable out") }
    }
    if definition.columns.count(where: { $0.touch == .onDelete }) > 1 {
      report("\(record) has several columns with touch: .onDelete: declare one column for the time of the deletion")
    }
    for column in definition.keyColumns where column.touch != nil {
      report("\(record).\(column.property) belongs to the key, which an update doesn't touch: leave touch: out")
    }
  }

  /// The references to a table's rows by a cascade, if both tables keep their deleted rows.
  mutating func rowsDeleted(with table: RecordTable, of record: String) -> [DeletionTrigger.Reference] {
    guard let deletion = table.deletion.map({ table.columns[$0] }) else { return [] }
    var references: [DeletionTrigger.Reference] = []
    // The order is the same in each process, because the triggers' SQL depends on it.
    for (child, definition) in definitions.values.sorted(by: { $0.definition.name < $1.definition.name }) {
      guard let own = definition.deletion.map({ definition.columns[$0] }) else { continue }
      for reference in definition.references
      where reference.onDelete == .cascade && reference.destination.table.name == table.name {
        guard let column = definition.column(ofProperty: reference.property) else { continue }
        guard own.currentTimeSQL == deletion.currentTimeSQL else {
          report(
            "\(child) is deleted with \(record), and stores times in another form: give \(child).\(own.property) the coding of "
              + "\(record).\(deletion.property)")
          continue
        }
        references.append(DeletionTrigger.Reference(table: definition, column: column, deletion: own))
      }
    }
    return references
  }

  /// Reports declarations that a view can't have. A view has only columns.
  private mutating func checkView(_ definition: RecordTable, record: String) {
    if definition.assignsKey {
      report("\(record) reads a view, whose key SQLite doesn't assign: give the key the type Int64")
    }
    if !definition.references.isEmpty {
      report("\(record) reads a view, which has no foreign keys: leave @References out")
    }
    if !definition.indexes.isEmpty {
      report("\(record) reads a view, which has no indexes: declare indexes for the tables that the view reads")
    }
  }

  /// The table to which a reference leads; nil, with a report, if it can't.
  mutating func destination(
    of reference: ReferenceDefinition, from column: RecordColumn, record: String
  ) -> RecordTable? {
    let source = "\(record).\(reference.property)"
    let type = String(describing: reference.destination.type)
    let table = reference.destination.table
    guard definitions[table.name.folded] != nil else {
      report("\(source) references \(type), which is not in the schema: add \(type).self")
      return nil
    }
    if table.isView {
      report("\(source) references \(type), which reads a view: a foreign key leads to a table")
      return nil
    }
    guard table.key.count == 1, let key = table.keyColumns.first else {
      report(
        "\(source) references \(type), whose key has \(table.key.count) columns: a reference needs a key of one column")
      return nil
    }
    if key.type != column.type {
      report(
        "\(source) is stored as \(column.type.title), and the key of \(type), which it references, as \(key.type.title): "
          + "give both the same type")
    }
    for (action, event) in [(reference.onDelete, "onDelete"), (reference.onUpdate, "onUpdate")] {
      if action == .setNull && !column.acceptsNull {
        report("\(source) is not optional, so \(event) can't be setNull")
      }
      if action == .setDefault && column.defaultValue == nil && !column.acceptsNull {
        report("\(source) has no default, so \(event) can't be setDefault")
      }
    }
    return table
  }

  /// Reports names of indexes that aren't unique in the whole database, among indexes and tables.
  mutating func checkNames(of tables: [DeclaredTable]) {
    var owners = Dictionary(tables.map { ($0.name.folded, "a table") }, uniquingKeysWith: { first, _ in first })
    for table in tables {
      for index in table.indexes {
        if let other = owners.updateValue("an index of \(table.name)", forKey: index.name.folded) {
          report(
            "the name \(index.name.quotedIdentifier) of an index of \(table.name) is also the name of \(other): "
              + "declare the index once, or give it another name")
        }
        if index.name.folded.hasPrefix("sqlite_") {
          report("the name \(index.name.quotedIdentifier) of an index of \(table.name) has a reserved prefix")
        }
      }
    }
  }
}
