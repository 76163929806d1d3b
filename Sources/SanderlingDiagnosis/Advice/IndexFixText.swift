/// An index in the words of each way to use SQLite.
struct IndexFixText {
  let index: IndexCandidate
  let name: String

  var sql: String { index.creation(named: name) }

  /// In a migration; SQL where GRDB's own method has no words for the index.
  var grdb: String {
    let columns = index.keys.compactMap(\.column)
    let isPlain = index.keys.allSatisfy { $0.collation == nil && !$0.isDescending } && index.condition == nil
    guard isPlain, columns.count == index.keys.count else { return "try db.execute(sql: \(Self.literal(sql)))" }
    let list = columns.map(Self.literal).joined(separator: ", ")
    return "try db.create(index: \(Self.literal(name)), on: \(Self.literal(index.table)), columns: [\(list)])"
  }

  /// In the record's declaration.
  var sanderling: String {
    let parts = index.keys.map { key -> String in
      guard let column = key.column else { return ".expression { /* \(key.sql) */ }" }
      let collation = key.collation.map { ", collation: .\($0.asciiLowercased)" } ?? ""
      return ".\(key.isDescending ? "descending" : "ascending")(\\.\(column)\(collation))"
    }
    let condition = index.condition.map { ".where { /* \($0) */ }" } ?? ""
    return "static let indexes: [Index<\(typeName)>] = [.on(\(parts.joined(separator: ", ")))\(condition)]"
  }

  /// A fetch index of the model; nil for tables that Core Data did not make, and indexes that it can't.
  var coreData: String? {
    guard index.table.hasPrefix("Z"), index.condition == nil else { return nil }
    let columns = index.keys.compactMap { key in key.column.flatMap { $0.hasPrefix("Z") ? key : nil } }
    guard columns.count == index.keys.count, columns.allSatisfy({ $0.collation == nil }) else { return nil }
    let elements = columns.map { key in
      "\(Self.property(key.column ?? "")) (\(key.isDescending ? "descending" : "ascending"))"
    }
    return "In the model editor, add a fetch index to the entity of \(index.table): " + elements.joined(separator: ", ")
  }

  private var typeName: String { index.table.prefix(1).uppercased() + index.table.dropFirst() }

  /// Core Data's columns are the names of properties in capitals.
  private static func property(_ column: String) -> String {
    column == "Z_PK" ? "the primary key" : column.dropFirst().lowercased()
  }

  /// A string literal of Swift.
  private static func literal(_ text: String) -> String {
    if text.contains("\"") || text.contains("\\") { return "#\"\(text)\"#" }
    return "\"\(text)\""
  }
}
