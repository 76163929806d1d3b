import Sanderling

/// The sections that a list shows.
struct ShownSections: Equatable, Sendable {
  struct Section: Equatable, Sendable {
    let key: StorageValue
    let count: Int
    let values: [StorageValue]
    let isOpen: Bool
    let hasMore: Bool
    let rows: [[StorageValue]]
    /// Marks for the rows that can't be read.
    let unreadable: [[StorageValue]]

    var all: [[StorageValue]] { rows + unreadable }
  }

  let sections: [Section]
}

/// The results of fresh SELECTs for a query's sections at one commit.
struct SectionsExpectation: Sendable {
  /// Key, count and values of each section; nil if the query fails.
  let headers: [[StorageValue]]?
  /// The rows of each section, including those beyond any window; nil if the query fails.
  let rows: [[[StorageValue]]?]
  let error: String?
  private let key: Term

  init(_ spec: LiveQuerySpec, _ sections: SectionSpec, _ tx: ReadTransaction) {
    key = sections.key
    let headers = spec.headers(sections).expectation(tx)
    self.headers = headers.rows
    var error = headers.error
    rows = (headers.rows ?? []).map { header in
      let rows = spec.rows(in: header[0], sections).expectation(tx)
      error = error ?? rows.error
      return rows.rows
    }
    self.error = error
  }

  /// The difference from the shown sections; nil if there is none.
  ///
  /// - Parameters:
  ///   - windows: The greatest number of shown rows of each section; nil if unknown.
  ///   - comparesValues: Whether the aggregates must be equal.
  ///   - known: Further allowed expectations for the sections' rows. Headers and rows are read one after the other. Until
  ///     the store notices an outside change between the two reads, only the later read contains it. Empty to allow
  ///     these rows only.
  func difference(
    from shown: ShownSections, windows: [Int]?, comparesValues: Bool = true, among known: [SectionsExpectation] = []
  ) -> String? {
    guard let headers else { return nil }
    guard headers.count == shown.sections.count else {
      return "\(shown.sections.count) sections are shown, and SQLite has \(headers.count): "
        + "\(shown.sections.map(\.key.literal)), \(headers.map { $0[0].literal })"
    }
    for (index, (section, header)) in zip(shown.sections, headers).enumerated() {
      let name = "section \(index) (\(section.key.literal))"
      // For keys that are equal in SQLite, it returns any one of them.
      guard key.isEqual(section.key, header[0]) else {
        let sections = shown.sections.map { [$0.key, .integer(Int64($0.count))] + $0.values }
        func text(_ headers: [[StorageValue]]) -> String {
          headers[max(0, index - 1)..<min(index + 2, headers.count)].map { "\($0.map(\.literal))" }.joined(
            separator: ", ")
        }
        return "\(name) is \(header[0].literal) in SQLite: shown is \(text(sections)), and SQLite has \(text(headers))"
      }
      guard header[1] == .integer(Int64(section.count)) else {
        return "\(name) counts \(section.count) rows, but \(header[1].literal) in SQLite"
      }
      if comparesValues, section.values != Array(header.dropFirst(2)) {
        return
          "\(name) has the values \(section.values.map(\.literal)), but \(header.dropFirst(2).map(\.literal)) in SQLite"
      }
      let possible = known.isEmpty ? [rows[index]] : known.map { $0.rows(of: section.key) }
      let differences = possible.compactMap { rows in
        rows.flatMap { Self.difference(section, $0, window: windows?[index]) }
      }
      if differences.count == possible.count { return "\(name) \(differences.joined(separator: "; or "))" }
    }
    return nil
  }

  /// The rows of the section with a key; empty if there is no such section, nil if the query fails.
  ///
  /// The same key comes first: where the column has a collation of the app's own, keys that the record holds for equal
  /// are several sections.
  private func rows(of key: StorageValue) -> [[StorageValue]]? {
    guard let headers else { return nil }
    let index = headers.firstIndex { $0[0] == key } ?? headers.firstIndex { self.key.isEqual(key, $0[0]) }
    return index.map { rows[$0] } ?? []
  }

  private static func difference(_ section: ShownSections.Section, _ rows: [[StorageValue]], window: Int?) -> String? {
    guard section.isOpen else {
      return section.all.isEmpty && !section.hasMore ? nil : "is closed and shows rows"
    }
    let shown = section.all
    if section.hasMore != (shown.count < rows.count) {
      return "says hasMore \(section.hasMore) with \(shown.count) rows, and SQLite has \(rows.count)"
    }
    let window = window ?? shown.count
    let expected = Array(rows.prefix(window)).asShown
    guard shown != expected else { return nil }
    let position = zip(shown, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(shown.count, expected.count)
    func text(_ rows: [[StorageValue]]) -> String {
      rows.indices.contains(position) ? "(\(rows[position].map(\.literal).joined(separator: ", ")))" : "nothing"
    }
    return "has as row \(position) \(text(shown)), but \(text(expected)) in SQLite; \(shown.count) are shown "
      + "of \(rows.count) in a window of \(window)"
  }
}
