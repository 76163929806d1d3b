/// What a consumer asks to follow: a query, found among those that are followed or made, and what the consumer gets of it.
struct LiveRequest<Published: LivePublication>: Sendable {
  /// Queries with the same key share one state.
  let key: LiveQueryKey
  /// How a query of this key is presented.
  let presentation: any LivePresentation<Published>.Type

  func makeConsumer(_ feed: LiveFeed<Published>, window: Int) -> any QueryConsumer {
    presentation.makeConsumer(key, feed, window: window)
  }
}

/// What of a query's content a consumer is shown.
protocol LivePresentation<Published>: SendableMetatype {
  associatedtype Content
  associatedtype Published: LivePublication

  /// - Throws: Why there is nothing to show: the query was read, and the row that is to be shown can't be.
  static func published(_ content: Content, at commit: Commit) throws -> Published
}

extension LivePresentation {
  /// - Precondition: The query has the content that is presented: its key tells the type of what it reads.
  static func presented(_ query: any LiveQuery) -> any LiveQuery<Content> {
    guard let query = query as? any LiveQuery<Content> else {
      preconditionFailure("a key fixes the type of the values of its query")
    }
    return query
  }

  /// What is shown of a query in a window of so many rows, at a commit; nil before anything was read.
  static func published(of query: any LiveQuery, window: Int, at commit: Commit) throws -> Published? {
    try presented(query).content(window: window).map { try published($0, at: commit) }
  }

  static func makeConsumer(_ key: LiveQueryKey, _ feed: LiveFeed<Published>, window: Int) -> any QueryConsumer {
    LiveConsumer<Self>(key, feed, window: window)
  }
}

extension RowsDefinition {
  /// The rows.
  func request(among forms: LiveForms) -> LiveRequest<LiveSnapshot<Element>> {
    let (form, values) = form(among: forms)
    return LiveRequest(
      key: LiveQueryKey(form: form, values: values), presentation: RowsPresentation<Element>.self)
  }

  /// The first row, as a value.
  func firstRowRequest(among forms: LiveForms) -> LiveRequest<LiveReading<Element>> {
    let (form, values) = form(among: forms)
    return LiveRequest(
      key: LiveQueryKey(form: form, values: values), presentation: FirstRowPresentation<Element>.self
    )
  }
}

extension CountDefinition {
  func request(among forms: LiveForms) -> LiveRequest<LiveReading<Int>> {
    let (form, values) = form(among: forms)
    return LiveRequest(
      key: LiveQueryKey(form: form, values: values), presentation: ValuePresentation<Int>.self)
  }
}

extension ValueDefinition {
  func request(among forms: LiveForms) -> LiveRequest<LiveReading<Value>> {
    guard isSummary else { return rows.firstRowRequest(among: forms) }
    return LiveRequest(
      key: LiveQueryKey(form: summaryForm(among: forms), values: []),
      presentation: ValuePresentation<Value>.self)
  }
}
