/// An index as code for each library and for SQL.
struct IndexFixText {
  let index: IndexCandidate
  let name: String

  var sql: String { index.creation(named: name) }

  /// The code for a GRDB migration. SQL if GRDB's own method can't declare the index.
  var grdb: String {
    guard index.isPlain else { return "try db.execute(sql: \(Self.literal(sql)))" }
    let list = index.keys.compactMap(\.column).map(Self.literal).joined(separator: ", ")
    return "try db.create(index: \(Self.literal(name)), on: \(Self.literal(index.table)), columns: [\(list)])"
  }

  /// The declaration in the record.
  var sanderling: String {
    "static let indexes: [Index<\(Self.typeName(of: index.table))>] = [\(declaration)]"
  }

  /// One element of the record's indexes. Expressions and conditions are SQL by hand, because a database doesn't show
  /// the app's fields and types.
  var declaration: String {
    let parts = index.keys.map { key -> String in
      guard let column = key.column else {
        return ".expression { _ in Field<\(Self.valueType(of: key.sql))>.raw(\(Self.literal(key.sql))) }"
      }
      let collation = key.collation.map { ", collation: .\($0.asciiLowercased)" } ?? ""
      return ".\(key.isDescending ? "descending" : "ascending")(\(Self.keyPath(column))\(collation))"
    }
    let condition = index.condition.map { ".where { _ in .raw(\(Self.literal($0))) }" } ?? ""
    return ".on(\(parts.joined(separator: ", ")))\(condition)"
  }

  /// The instruction for a fetch index of the model; nil for tables that Core Data did not make, and for indexes that
  /// it can't make.
  var coreData: String? {
    guard index.table.hasPrefix("Z"), index.condition == nil else { return nil }
    let columns = index.keys.compactMap { key in key.column.flatMap { $0.hasPrefix("Z") ? key : nil } }
    guard columns.count == index.keys.count, columns.allSatisfy({ $0.collation == nil }) else { return nil }
    if index.table.hasPrefix("Z_") {
      return "\(index.table) holds a to-many relationship, for which the model editor has no index. Make the link an "
        + "entity of its own to have one."
    }
    let attributes = columns.prefix { !Self.isOwn($0.column) }
    if attributes.isEmpty { return nil }
    let elements = attributes.map { key in
      "\(Self.property(key.column ?? "")) (\(key.isDescending ? "descending" : "ascending"))"
    }
    let list = elements.joined(separator: ", ")
    let text = "In the model editor, add a fetch index to the entity of \(index.table): \(list)"
    guard let own = columns.compactMap(\.column).first(where: Self.isOwn) else { return text }
    return text
      + ". \(own) is no attribute: an index of the model ends before it, and may gain less than was measured."
  }

  /// Whether a column is Core Data's own: `Z_PK`, `Z_ENT`, `Z_OPT`, and columns that order relationships.
  private static func isOwn(_ column: String?) -> Bool { column?.hasPrefix("Z_") ?? true }

  static func typeName(of table: String) -> String { table.prefix(1).uppercased() + table.dropFirst() }

  /// The property of a column. Core Data's columns are the names of properties in capitals.
  private static func property(_ column: String) -> String { column.dropFirst().lowercased() }

  /// The Swift type of an expression's values, guessed from its first word.
  private static func valueType(of sql: String) -> String {
    let word = String(sql.prefix { $0.isLetter || $0 == "_" }).asciiLowercased
    return textFunctions.contains(word) ? "String" : "Int"
  }

  private static let textFunctions: Set = [
    "lower", "upper", "substr", "substring", "trim", "ltrim", "rtrim", "replace", "strftime", "date", "time",
    "datetime",
    "printf", "format", "hex", "json_extract", "coalesce", "ifnull",
  ]

  static func keyPath(_ column: String) -> String {
    let isPlain = column.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isPlain ? "\\.\(column)" : "\\.`\(column)`"
  }

  /// A string literal of Swift.
  static func literal(_ text: String) -> String {
    var marks = ""
    while text.contains("\"" + marks) || text.contains("\\" + marks) { marks += "#" }
    let isOneLine = !text.contains(where: \.isNewline)
    return isOneLine
      ? "\(marks)\"\(text)\"\(marks)" : "\(marks)\"\"\"\n\(text)\n\"\"\"\(marks)"
  }
}
