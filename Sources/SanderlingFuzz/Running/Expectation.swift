import Sanderling

/// The result of a fresh SELECT of a query at one commit.
struct Expectation: Sendable {
  /// All rows of the query, including those beyond any window, with marks in place of unreadable rows; nil if the query
  /// fails.
  let rows: [[StorageValue]]?
  /// The error if the query fails.
  let error: String?
  /// Whether it is unknown which rows are unreadable.
  var isUnknown = false
  /// The sections, if the query is shown in sections.
  var sections: SectionsExpectation?
}

extension LiveQuerySpec {
  /// Runs the query as SQL.
  ///
  /// - Parameters:
  ///   - window: The greatest number of rows to read; nil for all.
  ///   - isStepped: Whether rows are read one by one up to that number, without a LIMIT in the SQL.
  func expectation(_ tx: ReadTransaction, window: Int? = nil, isStepped: Bool = false) -> Expectation {
    FreshSelect(self, window: window, isStepped: isStepped).expectation(tx)
  }
}

extension Expectation {
  /// The difference between the shown rows and the rows of the SELECT; nil if there is none.
  func difference(from shown: [[StorageValue]], window: Int) -> String? {
    guard let rows else { return nil }
    let expected = Array(rows.prefix(window)).asShown
    guard shown != expected else { return nil }
    let position = zip(shown, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(shown.count, expected.count)
    func text(_ rows: [[StorageValue]]) -> String {
      guard rows.indices.contains(position) else { return "nothing" }
      return "(\(rows[position].map(\.literal).joined(separator: ", ")))"
    }
    return "row \(position) is \(text(shown)), but \(text(expected)) in SQLite; \(shown.count) rows are shown, "
      + "\(expected.count) of \(rows.count) expected"
  }
}
