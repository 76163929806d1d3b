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
  private let names: [FoldedName: String]
  /// Sentences about properties of the database that records can't express.
  private(set) var notes: [String] = []
  /// Whether a column holds values of several types.
  private(set) var needsAnyValue = false

  init(_ tables: [FoundTable]) {
    self.tables = tables
    var taken: Set<String> = ["AnyValue"]
    var names: [FoldedName: String] = [:]
    for table in tables { names[table.name.folded] = SwiftName.type(of: table.name, &taken) }
    self.names = names
  }

  mutating func records() -> [Record] {
    tables.map { record(of: $0) }
  }

  /// Returns a comment in place of a record, for each object that can't be read.
  mutating func comments(on unusable: [UnusableObject]) -> [Record] {
    unusable.map { object in
      note(object.sentence)
      return Record(name: nil, text: "// \(object.sentence.capitalizedFirst).\n")
    }
  }

  // MARK: One table

  private mutating func record(of table: FoundTable) -> Record {
    guard table.kind == .table else {
      let kind = table.kind == .view ? "a view" : "a virtual table"
      return leftOut(table, "is \(kind): read it by SQL with RawQuery, or state its key with @Record(view:)")
    }
    let key = key(of: table)
    if key.isEmpty {
      return leftOut(table, "has no key, and a record needs one: add a UNIQUE index of columns that are NOT NULL")
    }
    let name = names[table.name.folded] ?? ""
    let members = Members(table.columns.map(\.name))
    var properties: [String] = []
    for column in table.columns where !table.isOfFolds(column) {
      properties += property(of: column, in: table, key: key, members.property(of: column.name))
    }
    var arguments: [String] = []
    if SwiftName.table(of: name) != table.name { arguments.append(table.name.swiftLiteral) }
    let (indexes, comments) = indexes(of: table, key: key, members)
    if !indexes.isEmpty { arguments.append("indexes: [\(indexes.joined(separator: ", "))]") }
    if table.hasMoreRows {
      note("\(table.name): not all rows were read; --rows sets their number")
    }
    if let obstacle = table.rowsObstacle {
      note("\(table.name): its rows can't be read (\(obstacle)), so the types come from the declarations")
    }
    for reference in table.references where reference.columns.count > 1 {
      note(
        "\(table.name): the reference of (\(reference.columns.joined(separator: ", "))) to \(reference.parent) has several columns, which a record doesn't declare"
      )
    }
    let attribute = arguments.isEmpty ? "@Record" : "@Record(\(arguments.joined(separator: ", ")))"
    let lines = comments.map { "// \($0)" } + [attribute, "struct \(name) {"] + properties.map { "  " + $0 } + ["}"]
    return Record(name: name, text: lines.joined(separator: "\n") + "\n")
  }

  private mutating func leftOut(_ table: FoundTable, _ reason: String) -> Record {
    note("\(table.name) \(reason)")
    return Record(name: nil, text: "// The table \(table.name.printable) \(reason).\n")
  }

  private mutating func note(_ text: String) {
    notes.append(text)
  }

  /// Returns the columns of the key; without a declared key, those of a unique index.
  private func key(of table: FoundTable) -> [String] {
    let key = table.keyColumns.map(\.name)
    if !key.isEmpty { return key }
    let unique = table.indexes.first { index in
      index.isUnique && !index.isPartial
        && index.terms.allSatisfy {
          $0.column.flatMap(table.column)?.isNotNull == true && $0.collation.uppercased() == "BINARY"
        }
    }
    return unique?.terms.compactMap(\.column) ?? []
  }

  // MARK: Columns

  private mutating func property(
    of column: FoundTable.Column, in table: FoundTable, key: [String], _ name: String
  ) -> [String] {
    let place = "\(table.name).\(column.name)"
    if column.isGenerated {
      note("\(place) is generated: read it by SQL" + (column.obstacle.map { ", in the app only: \($0)" } ?? ""))
      return ["// \(column.name.printable) is generated, and left out."]
    }
    let isKey = key.contains(column.name)
    let isAssigned = isKey && table.assignsKey
    var comments: [String] = []
    var attributes: [String] = []
    if isKey, key.count > 1 || name != "id" { attributes.append("@PrimaryKey") }

    var type: FoundType
    if let reference = reference(of: column, in: table) {
      type = reference.type
      attributes.append(reference.attribute)
    } else {
      type = self.type(of: column, in: table)
      for reference in table.references
      where reference.columns.count == 1 && reference.columns[0].folded == column.name.folded {
        let reason =
          "references \(reference.parent)(\(reference.parentColumns.joined(separator: ", "))), which a record can't declare"
        note("\(place) \(reason)")
        comments.append("// It \(reason.printable).")
      }
    }
    if isAssigned { type = FoundType("Int64", nil, .integer) }
    if let note = type.note {
      self.note("\(place): \(note)")
      comments.append("// \(note.capitalizedFirst).")
    }

    var stored: [String] = []
    if column.name != name { stored.append(column.name.swiftLiteral) }
    if let coding = type.coding { stored.append("as: \(coding)") }
    let value = defaultValue(of: column, type)
    if case .sql(let sql)? = value, !isAssigned { stored.append("default: \(sql.swiftLiteral)") }
    switch column.collation {
    case "BINARY": break
    case "NOCASE", "RTRIM": stored.append("collation: .\(column.collation.lowercased())")
    default:
      note(
        "\(place) has the collation \(column.collation), which a record can't declare: only SQL compares texts by it")
    }
    if !stored.isEmpty { attributes.append("@Stored(\(stored.joined(separator: ", ")))") }

    if table.isSearchable(column), type.swift == "String", type.coding == nil { attributes.append("@Searchable") }

    let isOptional = isAssigned || !isKey && !column.isNotNull
    if isKey && !isAssigned && column.values.hasNull {
      note("\(place) belongs to the key, and is NULL in some rows: a record can't read these rows")
      comments.append("// NULL in some rows, which a record can't read.")
    }
    if column.isNotNull && column.values.hasNull {
      note("\(place) is NULL in some rows, though it is declared NOT NULL")
    }
    var declaration = "var \(SwiftName.quoted(name)): \(type.swift)\(isOptional ? "?" : "")"
    if case .swift(let literal)? = value, !isKey { declaration += " = \(literal)" }
    return comments + [(attributes + [declaration]).joined(separator: " ")]
  }

  /// Returns the type of a column by its own values and declaration, without its references.
  private mutating func type(of column: FoundTable.Column, in table: FoundTable) -> FoundType {
    if let type = column.foundType { return type }
    let classes = column.values.classes.sorted().map { "\($0)s" }.joined(separator: " and ")
    needsAnyValue = true
    let found =
      switch column.values.classes.count {
      case 0: "has no values that show its type, and is declared \(column.type)"
      case 1:
        "holds \(classes) in a column declared \(column.type), where SQLite turns texts that look like numbers into numbers"
      default: "holds \(classes)"
      }
    return FoundType(
      "StorageValue", "AnyValue.self", .blob, note: "\(found): give the property a type and a ColumnCoding of your own")
  }

  private struct FoundReference {
    let attribute: String
    let type: FoundType
  }

  /// Returns the reference of a column to another record with a key of one column, if both store their values alike.
  private mutating func reference(of column: FoundTable.Column, in table: FoundTable) -> FoundReference? {
    let found = table.references.filter { $0.columns.map(\.folded) == [column.name.folded] }
    guard found.count == 1, let reference = found.first,
      let parent = tables.first(where: { $0.name.folded == reference.parent.folded && $0.kind == .table }),
      let parentName = names[parent.name.folded], key(of: parent).count == 1,
      let key = key(of: parent).first.flatMap(parent.column), !key.isGenerated,
      reference.parentColumns.isEmpty || reference.parentColumns.map(\.folded) == [key.name.folded]
    else { return nil }
    var type = parent.assignsKey ? FoundType("Int64", nil, .integer) : key.foundType
    // If only one of the two columns has values, its values decide the storage of both.
    if key.values.count == 0, column.values.count > 0, !parent.assignsKey { type = nil }
    guard let type, column.isKept(type),
      column.values.count == 0
        || column.foundType.map({ $0.storage == type.storage && $0.coding == type.coding }) == true
    else { return nil }
    let isNotNull = column.isNotNull || column.keyPosition > 0
    var arguments = ["\(parentName).self"]
    for (label, action) in [("onDelete", reference.onDelete), ("onUpdate", reference.onUpdate)] {
      switch action {
      case "CASCADE": arguments.append("\(label): .cascade")
      case "RESTRICT": arguments.append("\(label): .restrict")
      case "SET NULL" where !isNotNull: arguments.append("\(label): .setNull")
      case "SET DEFAULT" where !isNotNull || column.defaultSQL != nil: arguments.append("\(label): .setDefault")
      case "NO ACTION": break
      default: return nil
      }
    }
    return FoundReference(attribute: "@References(\(arguments.joined(separator: ", ")))", type: type)
  }

  private enum DefaultValue {
    case swift(String), sql(String)
  }

  /// Returns the default as an initial value if Swift has a literal for it, otherwise as SQL.
  private func defaultValue(of column: FoundTable.Column, _ type: FoundType) -> DefaultValue? {
    guard let sql = column.defaultSQL, sql.uppercased() != "NULL", type.swift != "StorageValue" else { return nil }
    switch type.swift {
    case "Bool":
      let value = ["0": "false", "FALSE": "false", "1": "true", "TRUE": "true"][sql.uppercased()]
      return value.map { .swift($0) } ?? .sql(sql)
    case "Int", "Int64": return Int64(sql) != nil ? .swift(sql) : .sql(sql)
    case "Double":
      return Double(sql)?.isFinite == true && sql.first?.isLetter == false
        ? .swift(sql.hasPrefix(".") ? "0" + sql : sql) : .sql(sql)
    case "String":
      guard sql.count > 1, sql.first == "'", sql.last == "'" else { return .sql(sql) }
      return .swift(String(sql.dropFirst().dropLast()).replacing("''", with: "'").swiftLiteral)
    default: return .sql(sql)
    }
  }

  // MARK: Indexes

  /// Returns the indexes that the attribute declares, and comments on the other indexes.
  private mutating func indexes(
    of table: FoundTable, key: [String], _ members: Members
  ) -> (declared: [String], comments: [String]) {
    var declared: [String] = []
    var comments: [String] = []
    for index in table.indexes where !index.isKey {
      // The index serves as the key of a table without a declared key.
      if index.isUnique, !index.isPartial, index.terms.map(\.column) == key { continue }
      // The declaration `@Searchable` of the text creates this index.
      if index.terms.count == 1, index.terms[0].column.flatMap(table.column).map(table.isOfFolds) == true { continue }
      guard let declaration = table.declaration(of: index, property: { members.property(of: $0) }) else {
        note("\(table.name): the index \(index.name) needs a declaration in the body of the struct: static let indexes")
        comments.append(index.comment)
        continue
      }
      declared.append(declaration)
    }
    return (declared, comments)
  }

  // MARK: Values of several kinds

  /// A coding that reads any stored value.
  static let codingOfAnyValue = """
    /// Reads every stored value, and writes it back unchanged.
    enum AnyValue: ColumnCoding {
      typealias Value = StorageValue
      static var columnType: ColumnType { .blob }
      static func encode(_ value: StorageValue) -> StorageValue { value }
      static func decode(_ stored: StorageValue) -> StorageValue { stored }
    }

    """
}

extension RecordPlan {
  /// The names of a record's properties, by column.
  fileprivate struct Members {
    private var names: [FoldedName: String] = [:]

    init(_ columns: [String]) {
      // The macro adds a property `key` to records with more than one column.
      var taken: Set<String> = columns.count == 1 ? [] : ["key"]
      if columns.contains(where: { $0 == "key" }) { taken.insert("key") }
      for column in columns { names[column.folded] = SwiftName.property(of: column, &taken) }
    }

    func property(of column: String) -> String {
      names[column.folded] ?? column
    }
  }
}
