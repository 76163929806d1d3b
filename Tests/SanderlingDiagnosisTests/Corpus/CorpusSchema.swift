import SanderlingDiagnosis

/// A database made by a fixed script, and the statements that an app runs on it.
struct CorpusSchema: Sendable {
  let name: String
  /// SQL that makes tables, rows, indexes and statistics; may call the functions of `CorpusFunctions`.
  let script: String
  let statements: [CorpusStatement]
  /// Indexes that can go, by the kind of finding that says so. All others that enforce something or serve a statement
  /// stay.
  var superfluousIndexes: [SuperfluousIndex] = []
  /// The program with this schema, its version, its licence and the parts that were taken; nil for schemas made up
  /// here.
  var origin: String?

  struct SuperfluousIndex: Sendable {
    let kind: FindingKind
    /// One of these can go; of two equal ones it doesn't matter which.
    let names: [String]
  }
}
