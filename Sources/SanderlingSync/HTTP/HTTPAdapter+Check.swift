import Foundation
import Sanderling

extension HTTPAdapter {
  /// Tests the declarations against the server, without changing anything there.
  ///
  /// ```swift
  /// for finding in try await adapter.check() { print(finding) }
  /// // ok        notes: 500 rows came, and a second page after them
  /// // wrong     notes: no row has the field is_pined, of the column isPinned
  /// ```
  ///
  /// The check reads two pages of each record, the number of rows if it is declared, the rows after the last received
  /// row, and one row by its address. Use it while you write an adapter, and in a test against a server with some
  /// hundred rows.
  ///
  /// - Throws: `CancellationError`. A refusal of the server is a finding.
  public func check() async throws -> [HTTPFinding] {
    var findings: [HTTPFinding] = []
    for coding in codings {
      try Task.checkCancellation()
      var trial = HTTPTrial(self, coding)
      findings += try await trial.run()
    }
    return findings
  }

  /// The adapter for a single record, which it reads once.
  func reading(_ coding: HTTPRowCoding) -> HTTPAdapter {
    var reader = self
    (reader.follows, reader.codings) = (nil, [coding])
    return reader
  }
}
