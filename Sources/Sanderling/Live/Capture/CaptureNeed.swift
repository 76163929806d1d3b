/// The columns of a table whose old values are needed, beside its key.
struct CaptureNeed: Hashable, Sendable {
  let table: RecordType
  /// Positions in the table's columns. Every write of a row is captured, whichever columns it sets.
  let columns: Set<Int>
  /// Compared columns. The type that the database declares for such a column may change the result of a comparison.
  /// They are compared with values of another type, numbers written as texts, or values that only the database knows.
  var convertedColumns: Set<Int> = []
}

/// The columns of a row image.
final class CaptureLayout: Sendable {
  let table: RecordType
  /// Positions in the table's columns, ascending.
  let columns: [Int]
  /// The place in images of each column of the table; -1 for none.
  private let places: [Int]
  /// Reads the columns, in order, of the row with exactly the bound key values.
  let selectByKey: String
  /// True for the row with exactly the key values that are bound from the first parameter on.
  let keyCondition: String

  /// The columns for which the database declares a type that converts values differently: DATETIME and BOOLEAN of other
  /// libraries. Only values of the kind that the record stores compare equally there.
  let looseColumns: Set<Int>

  init(table: RecordType, columns: Set<Int>, looseColumns: Set<Int> = []) {
    self.looseColumns = looseColumns
    let definition = table.table
    self.table = table
    self.columns = columns.sorted()
    var places = Array(repeating: -1, count: definition.columns.count)
    for (place, column) in self.columns.enumerated() { places[column] = place }
    self.places = places
    let alias = definition.name.quotedIdentifier
    let names = self.columns.map { "\(alias).\(definition.columns[$0].name.quotedIdentifier)" }
    keyCondition = definition.keyColumns.enumerated().map {
      "\(alias).\($1.name.quotedIdentifier)".isIdenticalSQL(to: "?\($0 + 1)")
    }
    .joined(separator: " AND ")
    selectByKey =
      "SELECT \(names.isEmpty ? "1" : names.joined(separator: ", ")) FROM main.\(alias) "
      + "WHERE \(keyCondition)"
  }

  /// The place of a column in images; nil for none.
  func place(of column: Int) -> Int? {
    let place = places[column]
    return place < 0 ? nil : place
  }

  func covers(_ columns: Set<Int>) -> Bool {
    columns.allSatisfy { places[$0] >= 0 }
  }

  /// The reason why Swift would compare differently from the database; nil when it doesn't.
  func obstacle(to need: CaptureNeed) -> CaptureObstacle? {
    guard let column = need.convertedColumns.sorted().first(where: looseColumns.contains) else { return nil }
    let definition = table.table
    return CaptureObstacle(
      "the database declares another type for \(definition.name).\(definition.columns[column].name) than the record, and "
        + "converts values to that type before it compares them with the column")
  }
}
