/// The current step of a diagnosis.
public enum DiagnosisProgress: Sendable, CustomStringConvertible {
  /// The database is copied.
  case copying
  /// The schema is read.
  case readingSchema
  /// A statement is being planned and measured. `statement` is its number in the workload; `number` counts from 1.
  case measuring(statement: Int, number: Int, of: Int)
  /// Fixes for a statement are being tried, slowest statements first. `number` counts from 1.
  case tryingFixes(statement: Int, number: Int, of: Int)
  /// A statement whose time ended uses the time that the others left. `number` counts from 1.
  case goingOn(statement: Int, number: Int, of: Int)
  /// Indexes, statistics and settings are checked.
  case checkingDatabase
  /// Indexes are chosen for all statements together.
  case choosingIndexes

  public var description: String {
    switch self {
    case .copying: "Copying the database"
    case .readingSchema: "Reading the schema"
    case .measuring(let statement, let number, let count): "Measuring S\(statement), \(number) of \(count)"
    case .tryingFixes(let statement, let number, let count): "Trying fixes for S\(statement), \(number) of \(count)"
    case .goingOn(let statement, let number, let count):
      "Trying fixes for S\(statement) in the time that is left, \(number) of \(count)"
    case .checkingDatabase: "Checking indexes, statistics and settings"
    case .choosingIndexes: "Choosing indexes for all statements together"
    }
  }
}
