import SanderlingDiagnosis

/// A database made by a fixed script, and the statements that an app runs on it.
struct CorpusSchema: Sendable {
  let name: String
  /// SQL that creates tables, rows, indexes and statistics. It may call the functions of `CorpusFunctions`.
  let script: String
  let statements: [CorpusStatement]
  /// Indexes that can be dropped, with the kind of finding that names them. All other indexes enforce a rule or serve a
  /// statement.
  var superfluousIndexes: [SuperfluousIndex] = []
  /// The program with this schema, its version, its licence and the parts that were taken. Nil for invented schemas.
  var origin: String?

  struct SuperfluousIndex: Sendable {
    let kind: FindingKind
    /// The name of the index, or the names of equal indexes. Any one of them can be dropped.
    let names: [String]
  }
}
