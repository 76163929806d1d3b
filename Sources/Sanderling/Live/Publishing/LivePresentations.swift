/// How the content of queries is published.
protocol ContentPublishing: SendableMetatype {
  associatedtype Content
  associatedtype Published

  static func published(_ content: Content, at commit: Commit) -> Published
}

/// What a consumer is shown of a query with content.
final class ContentPresentation<Publishing: ContentPublishing>: LivePresentation {
  private let query: any LiveQuery<Publishing.Content>

  init(_ query: any LiveQuery) {
    guard let query = query as? any LiveQuery<Publishing.Content> else {
      preconditionFailure("a key tells the type of what its query reads")
    }
    self.query = query
  }

  func published(window: Int, at commit: Commit) -> Publishing.Published? {
    query.content(window: window).map { Publishing.published($0, at: commit) }
  }
}

/// The rows of a query.
enum RowsPublishing<Element: Sendable>: ContentPublishing {
  static func published(_ content: RowsContent<Element>, at commit: Commit) -> LiveSnapshot<Element> {
    LiveSnapshot(rows: content.rows, commit: commit, state: .current, hasMore: content.hasMore)
  }
}

/// The first row of a query, as a value.
enum FirstRowPublishing<Element: Sendable>: ContentPublishing {
  static func published(_ content: RowsContent<Element>, at commit: Commit) -> LiveReading<Element> {
    let row = content.rows.first
    return LiveReading(
      value: row?.element, commit: commit, state: .current,
      version: LiveReading.Version(row: row?.id, number: row?.version ?? 0))
  }
}

/// The one value of a query.
enum ValuePublishing<Value: Sendable>: ContentPublishing {
  static func published(_ content: ValueContent<Value>, at commit: Commit) -> LiveReading<Value> {
    LiveReading(
      value: content.value, commit: commit, state: .current,
      version: LiveReading.Version(row: nil, number: content.version))
  }
}
