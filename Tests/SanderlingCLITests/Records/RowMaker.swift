import Foundation
import GRDB
import Sanderling
import SanderlingSQL

/// Fills the tables of a database with random rows that respect its keys, references and constraints.
///
/// Values are those that the declared types promise: truth values are 0 or 1, dates are texts. Integers are never times.
struct RowMaker {
  private var generator: SeededGenerator
  private let rows = 12

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func fill(_ db: Database) throws {
    let schema = try SchemaReader(db)
    let names = try schema.entries().filter { $0.type == "table" && !$0.name.hasPrefix("sqlite_") }.map(\.name)
    var left = names.sorted()
    // Parents come first. Tables that refer to each other begin with NULL.
    while !left.isEmpty {
      let next = try left.first { name in
        try TableReader(name, db).foreignKeys().allSatisfy {
          $0.parent.folded == name.folded || !left.folded.contains($0.parent.folded)
        }
      }
      let name = next ?? left[0]
      try fill(name, db)
      left.removeAll { $0 == name }
    }
  }

  private mutating func fill(_ table: String, _ db: Database) throws {
    let reader = TableReader(table, db)
    let columns = try reader.columns().filter { !$0.isGenerated }
    let references = try reader.foreignKeys().sorted { $0.columns.count < $1.columns.count }
    var count = 0
    for _ in 0..<rows * 8 where count < rows {
      guard let values = try row(columns, references, db) else { continue }
      let names = columns.map(\.name).filter { values[$0.folded] != nil }
      try db.execute(
        sql: "INSERT OR IGNORE INTO \(table.quotedIdentifier) (\(names.quotedIdentifiers)) "
          + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))",
        arguments: StatementArguments(names.map { values[$0.folded] ?? .null }))
      count += db.changesCount
    }
  }

  /// Returns the values of a row, without a key that SQLite assigns; nil if no parent has the values of its references.
  private mutating func row(
    _ columns: [ActualColumn], _ references: [TableForeignKey], _ db: Database
  ) throws -> [FoldedName: DatabaseValue]? {
    var values: [FoldedName: DatabaseValue] = [:]
    func column(_ name: String) -> ActualColumn? { columns.named(name) }
    for reference in references {
      let open = reference.columns.filter { values[$0.folded] == nil }
      let areOptional = open.compactMap(column).allSatisfy { !$0.isNotNull && $0.keyPosition == 0 }
      let parent = try parentRow(reference, values, db)
      if parent == nil || areOptional && generator.next(5) == 0 {
        if !areOptional { return nil }
        for name in open { values[name.folded] = .null }
      } else if let parent {
        for (name, value) in zip(reference.columns, parent) { values[name.folded] = value }
      }
    }
    for column in columns where values[column.name.folded] == nil {
      if column.keyPosition == 1, column.type.uppercased() == "INTEGER", columns.key.count == 1 { continue }
      let isNull = !column.isNotNull && column.keyPosition == 0 && generator.next(5) == 0
      values[column.name.folded] = isNull ? .null : value(of: column)
    }
    return values
  }

  /// A random row of the parent with the values that the child has already.
  private mutating func parentRow(
    _ reference: TableForeignKey, _ values: [FoldedName: DatabaseValue], _ db: Database
  ) throws -> [DatabaseValue]? {
    let columns =
      reference.parentColumns.isEmpty
      ? try TableReader(reference.parent, db).columns().key.map(\.name) : reference.parentColumns
    let known = zip(reference.columns, columns).filter { values[$0.0.folded] != nil }
    let condition = known.map { "\($0.1.quotedIdentifier) = ?" } + columns.map { "\($0.quotedIdentifier) NOT NULL" }
    let rows = try Row.fetchAll(
      db,
      sql: "SELECT \(columns.quotedIdentifiers) FROM \(reference.parent.quotedIdentifier) "
        + "WHERE \(condition.joined(separator: " AND ")) ORDER BY \(columns.quotedIdentifiers)",
      arguments: StatementArguments(known.map { values[$0.0.folded] ?? .null }))
    if rows.isEmpty { return nil }
    return Array(rows[generator.next(rows.count)].databaseValues)
  }

  private mutating func value(of column: ActualColumn) -> DatabaseValue {
    let type = column.type.uppercased()
    let isFlag = ["is", "has", "can", "should", "was"].contains { word in
      column.name.lowercased().hasPrefix(word + "_")
        || column.name.hasPrefix(word) && column.name.dropFirst(word.count).first?.isUppercase == true
    }
    if type.contains("BOOL") || isFlag && column.affinity == .integer { return generator.next(2).databaseValue }
    if type.contains("DATE") || type.contains("TIME"), column.affinity == .numeric || column.affinity == .text {
      let (day, time) = (1 + generator.next(9), 100 + generator.next(900))
      return "20\(10 + generator.next(20))-0\(day)-1\(day) 1\(day):30:00.\(time)".databaseValue
    }
    switch type.isEmpty ? [Affinity.integer, .text, .real, .blob][generator.next(4)] : column.affinity {
    case .integer: return integer.databaseValue
    case .text: return text.databaseValue
    case .real, .numeric: return generator.next(3) == 0 ? generator.next(100).databaseValue : real.databaseValue
    case .blob: return Data((0..<generator.next(12)).map { _ in UInt8(generator.next(256)) }).databaseValue
    }
  }

  private var integer: Int64 {
    mutating get {
      switch generator.next(4) {
      case 0: Int64(generator.next(2))
      case 1: Int64(generator.next(2000)) - 1000
      case 2: Int64(generator.next(20))
      default: Int64(1) << 45 + Int64(generator.next(1 << 40))
      }
    }
  }

  private var real: Double {
    mutating get { Double(generator.next(1_000_000)) / 64 - 5000 }
  }

  private var text: String {
    mutating get {
      let parts = ["a", "Ünïcode", "日本", "it's", "\"", "0012", " ", "e\u{301}", "👩‍👩‍👧", "\n", "z"]
      return (0...generator.next(4)).map { _ in parts[generator.next(parts.count)] }.joined()
        + "\(generator.next(1000))."
    }
  }
}
