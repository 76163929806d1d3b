import SanderlingTerminal
import Sanderling
import SanderlingSQL

/// Translates the tables of a database to records with Swift names.
struct RecordPlan {
  struct Record {
    /// The record's name; nil for an object that can't be a record.
    let name: String?
    let text: String
  }

  private let tables: [FoundTable]
  private let names: RecordNames
  private let types: RecordTypes
  private let associations: RecordAssociations
  /// Sentences about properties of the database that records can't express.
  private(set) var notes: [String] = []

  /// - Parameter chosen: The names of the tables to print; nil for all. Names and types are those among all tables.
  init(_ all: [FoundTable], chosen: Set<FoldedName>? = nil) {
    tables = all.filter { chosen?.contains($0.name.folded) ?? true }
    names = RecordNames(all.filter { $0.kind == .table }.map(\.name))
    types = RecordTypes(all)
    associations = RecordAssociations(tables.filter { $0.recordKey != .none }, names, types)
  }

  mutating func records() -> [Record] {
    tables.map { record(of: $0) }
  }

  /// Returns a comment in place of a record, for each object that can't be read or belongs to one that can't.
  mutating func comments(on schema: FoundSchema) -> [Record] {
    let sentences =
      schema.unusable.map(\.sentence)
      + schema.parts.map {
        "the table \($0.table.printable) belongs to the virtual table \($0.owner.printable), and is left out"
      }
    return sentences.map { sentence in
      note(sentence)
      return Record(name: nil, text: "// \(sentence.capitalizedFirst).\n")
    }
  }

  // MARK: One table

  private mutating func record(of table: FoundTable) -> Record {
    guard table.kind == .table else {
      let kind = table.kind == .view ? "a view" : "a virtual table"
      return leftOut(table, "is \(kind): read it by SQL with RawQuery, or state its key with @Record(view:)")
    }
    guard let members = associations.members(of: table) else {
      return leftOut(table, "has no key, and columns hide its rowid: read it by SQL with RawQuery")
    }
    let key = table.recordKey
    var comments: [String] = []
    var lines: [String] = []
    if case .rowID(let name) = key {
      let reason = table.hasRowWithoutKey ? "rows have NULL in the key" : "the table has no key"
      note("\(table.name): \(reason), so its record only reads it, by the rowid")
      comments.append("Only read: \(reason), so the rowid identifies the rows.")
      lines.append("@PrimaryKey @Stored(\(name.swiftLiteral)) var \(members.rowID): Int64")
    }
    for column in table.columns where !table.isOfFolds(column) {
      lines += property(of: column, in: table, key: key, members.property(of: column.name))
    }
    if table.hasMoreRows {
      note("\(table.name): not all rows were read; --rows sets their number")
    }
    if let obstacle = table.rowsObstacle {
      note("\(table.name): its rows can't be read (\(obstacle)), so the types come from the declarations")
    }
    let name = names[table.name].type
    lines += associations.declarations(of: table)
    if case .rowID = key {
      let attribute = "@Record(view: \(table.name.swiftLiteral))"
      return Record(name: name, comments: comments, attribute: attribute, lines: lines)
    }
    var arguments: [String] = []
    if SwiftName.table(of: name) != table.name { arguments.append(table.name.swiftLiteral) }
    let indexes = indexes(of: table, key: key.columns, members)
    if !indexes.declared.isEmpty { arguments.append("indexes: [\(indexes.declared.joined(separator: ", "))]") }
    return Record(
      name: name, comments: comments + indexes.comments,
      attribute: arguments.isEmpty ? "@Record" : "@Record(\(arguments.joined(separator: ", ")))", lines: lines)
  }

  private mutating func leftOut(_ table: FoundTable, _ reason: String) -> Record {
    note("\(table.name) \(reason)")
    return Record(name: nil, text: "// The table \(table.name.printable) \(reason).\n")
  }

  private mutating func note(_ text: String) {
    notes.append(text)
  }

  // MARK: Columns

  private mutating func property(
    of column: FoundTable.Column, in table: FoundTable, key: RecordKey, _ name: String
  ) -> [String] {
    let place = "\(table.name).\(column.name)"
    if column.isGenerated {
      note("\(place) is generated: read it by SQL" + (column.obstacle.map { ", in the app only: \($0)" } ?? ""))
      return ["// \(column.name.printable) is generated, and left out."]
    }
    let isKey = key.columns.contains(column.name)
    let isAssigned = isKey && table.assignsKey
    let isReadOnly = key.columns.isEmpty
    let type = types.type(of: column.name, in: table.name)
    var comments: [String] = []
    var attributes: [String] = []
    if isKey, key.columns.count > 1 || name != "id" { attributes.append("@PrimaryKey") }
    if !isReadOnly {
      let references = references(of: column, in: table)
      attributes += references.attributes
      for other in references.others {
        note("\(place) \(other.reason)")
        // An association shows the reference.
        if !other.hasAssociation { comments.append("// It \(other.reason.printable).") }
      }
    }
    if let note = type.note {
      self.note("\(place): \(note)")
      comments.append("// \(note.printable.capitalizedFirst).")
    }

    var stored: [String] = []
    if !column.name.isIdentical(to: name) { stored.append(column.name.swiftLiteral) }
    if let coding = type.coding { stored.append("as: \(coding)") }
    let value = isReadOnly ? nil : defaultValue(of: column, type)
    if case .sql(let sql)? = value, !isAssigned { stored.append("default: \(sql.swiftLiteral)") }
    switch column.collation {
    case "BINARY": break
    case "NOCASE", "RTRIM": stored.append("collation: .\(column.collation.lowercased())")
    default:
      note(
        "\(place) has the collation \(column.collation), which a record can't declare: only SQL compares texts by it")
    }
    if !stored.isEmpty { attributes.append("@Stored(\(stored.joined(separator: ", ")))") }

    if !isReadOnly, table.isSearchable(column), type.swift == "String", type.coding == nil {
      attributes.append("@Searchable")
    }

    // Only NOT NULL, a key of a table without a rowid, and a rowid itself keep NULL out. A record's key is never nil.
    let isOptional = isAssigned || !isKey && !isNotNull(column, in: table)
    if isKey && table.allowsRowWithoutKey && column.keyPosition > 0 && !column.isNotNull {
      comments.append("// SQLite allows NULL here, and no row has it.")
    }
    if column.isNotNull && column.values.hasNull {
      note("\(place) is NULL in some rows, though it is declared NOT NULL")
    }
    var declaration = "var \(SwiftName.quoted(name)): \(type.swift)\(isOptional ? "?" : "")"
    if case .swift(let literal)? = value, !isKey { declaration += " = \(literal)" }
    return comments + [(attributes + [declaration]).joined(separator: " ")]
  }

  private func isNotNull(_ column: FoundTable.Column, in table: FoundTable) -> Bool {
    column.isNotNull || column.keyPosition > 0 && !table.allowsRowWithoutKey
  }

  /// Returns the attribute of a column's foreign key, and sentences about foreign keys that no attribute declares.
  private func references(
    of column: FoundTable.Column, in table: FoundTable
  ) -> (attributes: [String], others: [(reason: String, hasAssociation: Bool)]) {
    let found = table.references.filter { $0.columns[0].folded == column.name.folded }
    let own = found.filter { $0.columns.count == 1 }
    let links = associations.links(of: table)
    var attributes: [String] = []
    var others: [(reason: String, hasAssociation: Bool)] = []
    for reference in found {
      let link = links.first { $0.reference == reference }
      if own.count == 1, reference.columns.count == 1, let link,
        let actions = actions(of: reference, isNotNull: isNotNull(column, in: table), column)
      {
        attributes.append("@References(\(names[link.parent.name].type).self\(actions))")
        continue
      }
      let parentColumns = reference.parentColumns.joined(separator: ", ")
      let target = reference.parent + (parentColumns.isEmpty ? "" : "(\(parentColumns))")
      let reason =
        reference.columns.count > 1
        ? "with (\(reference.columns.joined(separator: ", "))), which @References can't declare"
        : tables.contains { $0.name.folded == reference.parent.folded }
          ? "which @References can't declare" : "which isn't among the records"
      others.append(("references \(target)\(reference.columns.count > 1 ? " " : ", ")\(reason)", link != nil))
    }
    return (attributes, others)
  }

  /// Returns the arguments for the actions of a foreign key; nil for actions that a record can't declare.
  private func actions(of reference: TableForeignKey, isNotNull: Bool, _ column: FoundTable.Column) -> String? {
    var arguments = ""
    for (label, action) in [("onDelete", reference.onDelete), ("onUpdate", reference.onUpdate)] {
      switch action {
      case "CASCADE": arguments += ", \(label): .cascade"
      case "RESTRICT": arguments += ", \(label): .restrict"
      case "SET NULL" where !isNotNull: arguments += ", \(label): .setNull"
      case "SET DEFAULT" where !isNotNull || column.defaultSQL != nil: arguments += ", \(label): .setDefault"
      case "NO ACTION": break
      default: return nil
      }
    }
    return arguments
  }

  private enum DefaultValue {
    case swift(String), sql(String)
  }

  /// Returns the default as an initial value if Swift has a literal for it, otherwise as SQL.
  private func defaultValue(of column: FoundTable.Column, _ type: FoundType) -> DefaultValue? {
    guard let sql = column.defaultSQL, sql.uppercased() != "NULL", !type.isAny else { return nil }
    switch type.swift {
    case "Bool":
      let value = ["0": "false", "FALSE": "false", "1": "true", "TRUE": "true"][sql.uppercased()]
      return value.map { .swift($0) } ?? .sql(sql)
    case "Int", "Int64": return Int64(sql) != nil ? .swift(sql) : .sql(sql)
    case "Double":
      return Double(sql)?.isFinite == true && sql.first?.isLetter == false
        ? .swift(sql.hasPrefix(".") ? "0" + sql : sql) : .sql(sql)
    case "String":
      // SQLite takes a name in double quotes that is no column for a text.
      guard sql.count > 1, let quote = sql.first, quote == "'" || quote == "\"", sql.last == quote else {
        return .sql(sql)
      }
      return .swift(String(sql.dropFirst().dropLast()).replacing("\(quote)\(quote)", with: "\(quote)").swiftLiteral)
    default: return .sql(sql)
    }
  }

  // MARK: Indexes

  /// Returns the indexes that the attribute declares, and comments on the other indexes.
  private mutating func indexes(
    of table: FoundTable, key: [String], _ members: RecordMembers
  ) -> (declared: [String], comments: [String]) {
    var declared: [String] = []
    var comments: [String] = []
    for index in table.indexes where !index.isKey {
      // The index serves as the key of a table without a declared key.
      if index.isUnique, !index.isPartial, Set(index.terms.map { $0.column?.folded }) == Set(key.map(\.folded)) {
        continue
      }
      // The declaration `@Searchable` of the text creates this index.
      if index.terms.count == 1, index.terms[0].column.flatMap(table.column).map(table.isOfFolds) == true { continue }
      guard let declaration = table.declaration(of: index, property: { members.property(of: $0) }) else {
        note("\(table.name): the index \(index.name) needs a declaration in the body of the struct: static let indexes")
        comments.append(index.comment)
        continue
      }
      declared.append(declaration)
    }
    // A database may have an index twice, or beside a unique index of the same columns. A record can't.
    var seen: Set<String> = []
    declared = declared.filter { !$0.hasPrefix(".on(") || !declared.contains(".unique(on: \($0.dropFirst(4))") }
      .filter { seen.insert($0).inserted }
    return (declared, comments)
  }
}
