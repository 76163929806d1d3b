/// The rows of a query.
enum RowsPresentation<Element: Sendable>: LivePresentation {
  static func published(_ content: RowsContent<Element>, at commit: Commit) -> LiveSnapshot<Element> {
    LiveSnapshot(
      rows: content.rows.readable, unreadableRows: content.rows.unreadableRows, commit: commit, state: .current,
      hasMore: content.hasMore)
  }
}

/// The first row of a query, as a value.
enum FirstRowPresentation<Element: Sendable>: LivePresentation {
  /// - Throws: The error of an unreadable first row, since there is no other value to show.
  static func published(_ content: RowsContent<Element>, at commit: Commit) throws -> LiveReading<Element> {
    if let first = content.rows.unreadable.first, first.position == 0 { throw first.row.error }
    let row = content.rows.readable.identified.first
    return LiveReading(
      value: row?.element, commit: commit, state: .current,
      version: LiveReading.Version(row: row?.id, number: row?.version ?? 0))
  }
}

/// The one value of a query.
enum ValuePresentation<Value: Sendable>: LivePresentation {
  static func published(_ content: ValueContent<Value>, at commit: Commit) -> LiveReading<Value> {
    LiveReading(
      value: content.value, commit: commit, state: .current,
      version: LiveReading.Version(row: nil, number: content.version))
  }
}
