/// The request of a consumer: a query, which is looked up among the followed ones or made, and the presentation of its
/// content.
struct LiveRequest<Published: LivePublication>: Sendable {
  /// Queries with the same key share one state.
  let key: LiveQueryKey
  /// How a query of this key is presented.
  let presentation: any LivePresentation<Published>.Type

  func makeConsumer(_ feed: LiveFeed<Published>, window: Int) -> any QueryConsumer {
    presentation.makeConsumer(key, feed, window: window)
  }
}

/// The presentation of a query's content to consumers.
protocol LivePresentation<Published>: SendableMetatype {
  associatedtype Content
  associatedtype Published: LivePublication

  /// - Throws: The reason why there is nothing to show: the query was read, but the shown row is unreadable.
  static func published(_ content: Content, at commit: Commit) throws -> Published
}

extension LivePresentation {
  /// - Precondition: The query has this type of content, which its key includes.
  static func presented(_ query: any LiveQuery) -> any LiveQuery<Content> {
    guard let query = query as? any LiveQuery<Content> else {
      preconditionFailure("a key fixes the type of the values of its query")
    }
    return query
  }

  /// The content of a query in a window of some rows, at a commit; nil before the first read.
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
