/// Limits the number of indexes that a report proposes.
struct IndexLimit {
  private let most: Int

  init(_ most: Int) { self.most = max(0, most) }

  /// Withdraws fixes with further indexes. Indexes that were measured together come first, then the first findings.
  func apply(to report: inout DiagnosisReport) {
    var made = Set(report.indexAdvice?.create.map(\.sql) ?? [])
    let isReached = made.count >= most
    for place in report.findings.indices {
      if isReached, case .notMeasured(let reason) = report.findings[place].outcome,
        [ReportPlan.leftOut, ReportPlan.leftOutAlone].contains(reason)
      {
        report.findings[place].withdraw(
          "Left out of the indexes for all statements: at most \(most) may be made, and others save more.")
      }
      guard let sql = report.findings[place].fix?.sql else { continue }
      let own = Set(sql.filter(\.createsIndex))
      if own.isEmpty || made.union(own).count <= most {
        made.formUnion(own)
      } else if !own.isSubset(of: made) {
        report.findings[place].withdraw("It needs an index, and no more than \(most) may be made.")
      }
    }
  }
}
