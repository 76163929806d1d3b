/// The request of a consumer: the key of a query, and how its values are presented. A followed query with the key is
/// shared.
struct LiveRequest<Published: LivePublication>: Sendable {
  /// Queries with the same key share one state.
  let key: LiveQueryKey
  /// The presentation of the query.
  let presentation: any LivePresentation<Published>.Type

  func makeConsumer(_ feed: LiveFeed<Published>, window: Int) -> any QueryConsumer {
    presentation.makeConsumer(key, feed, window: window)
  }
}

/// The way in which a query's content becomes a consumer's value.
protocol LivePresentation<Published>: SendableMetatype {
  associatedtype Content
  associatedtype Published: LivePublication

  /// - Throws: The reason why there is nothing to show: the query was read, but the row to show is unreadable.
  static func published(_ content: Content, at commit: Commit) throws -> Published
}

extension LivePresentation {
  /// - Precondition: The query has the presented content. Its key determines the content's type.
  static func presented(_ query: any LiveQuery) -> any LiveQuery<Content> {
    guard let query = query as? any LiveQuery<Content> else {
      preconditionFailure("a key fixes the type of the values of its query")
    }
    return query
  }

  /// The presentation of a query in a window, at a commit; nil before the first load.
  static func published(of query: any LiveQuery, window: Int, at commit: Commit) throws -> Published? {
    try presented(query).content(window: window).map { try published($0, at: commit) }
  }

  static func makeConsumer(_ key: LiveQueryKey, _ feed: LiveFeed<Published>, window: Int) -> any QueryConsumer {
    LiveConsumer<Self>(key, feed, window: window)
  }
}

extension RowsDefinition {
  /// The request for the rows.
  func request(among forms: LiveForms) -> LiveRequest<LiveSnapshot<Element>> {
    let (form, values) = form(among: forms)
    return LiveRequest(
      key: LiveQueryKey(form: form, values: values), presentation: RowsPresentation<Element>.self)
  }

  /// The request for the first row, as a value.
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
