import Testing

@testable import SanderlingDiagnosis

/// A fix that makes a statement ten times as fast is no error if it saves next to no time.
struct SeverityBoundsTests {
  private func severity(
    _ severity: Severity, saving milliseconds: Double, count: Int = 1, proven: Bool = true, remark: Bool = false
  ) -> Severity {
    var report = SampleReport.fine
    report.statements[0].statement.count = count
    report.statements[0].state = .measured(
      [("typical", SampleReport.measurement(ms: milliseconds + 0.01))], .tried(1, isCutShort: false))
    let comparison = Comparison(
      bindings: "typical", before: SampleReport.measurement(ms: milliseconds + 0.01),
      after: SampleReport.measurement(ms: 0.01))
    report.findings = [
      Finding(
        kind: .fullScan, severity: severity, statement: report.statements[0].statement.id, title: "Title",
        explanation: "Explanation.", outcome: proven ? .proven([comparison]) : .notMeasured(reason: "Reason."),
        isRemark: remark)
    ]
    SeverityBounds(report).apply(to: &report.findings)
    return report.findings[0].severity
  }

  @Test(arguments: [
    (4.0, 1, Severity.warning), (0.5, 1, .note), (12, 1, .error), (4, 260, .error), (0.5, 250, .warning),
    (0.001, 50, .note),
  ])
  func theTimeBounds(milliseconds: Double, count: Int, greatest: Severity) {
    #expect(severity(.error, saving: milliseconds, count: count) == greatest)
    #expect(severity(.error, saving: milliseconds, count: count, proven: false) == greatest)
    #expect(severity(.note, saving: milliseconds, count: count) == .note)
    #expect(severity(.wrongResult, saving: milliseconds, count: count) == .wrongResult)
    #expect(severity(.warning, saving: milliseconds, count: count, remark: true) == .warning)
  }

  /// The documentation of the command states the bounds of severities.
  @Test func theBoundsAreDocumented() throws {
    let page = try DocumentationTests.page()
    let words = page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("An `error` saves 10 ms in one execution, or 1 s in all executions of the workload."))
    #expect(words.contains("A `warning` saves 1 ms in one execution, or 100 ms in all."))
    #expect(SeverityBounds.error.once == .milliseconds(10) && SeverityBounds.error.inAll == .seconds(1))
    #expect(SeverityBounds.warning.once == .milliseconds(1) && SeverityBounds.warning.inAll == .milliseconds(100))
  }
}
