/// What a diagnosis is doing.
public enum DiagnosisProgress: Sendable, CustomStringConvertible {
  case copying
  case readingSchema
  /// A statement is planned, measured, and fixes for it are tried. `number` counts from 1.
  case statement(number: Int, of: Int)
  case checkingDatabase
  case choosingIndexes

  public var description: String {
    switch self {
    case .copying: "Copying the database"
    case .readingSchema: "Reading the schema"
    case .statement(let number, let count): "Statement \(number) of \(count)"
    case .checkingDatabase: "Checking indexes, statistics and settings"
    case .choosingIndexes: "Choosing indexes for all statements together"
    }
  }
}
