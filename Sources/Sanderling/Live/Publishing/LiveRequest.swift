/// What a consumer asks to follow: a query, found among those that are followed or made, and what the consumer gets of it.
struct LiveRequest<Published: LivePublication>: Sendable {
  /// Queries with the same key share one state.
  let key: LiveQueryKey
  /// How a query of this key is presented.
  let presentation: any LivePresentation<Published>.Type
}

/// What of a query a consumer is shown. Confined to the engine's turns.
protocol LivePresentation<Published>: AnyObject, SendableMetatype {
  associatedtype Published

  /// - Precondition: The query has the content that is presented: its key tells the type of what it reads.
  init(_ query: any LiveQuery)

  /// What is shown in a window of so many rows, at a commit; nil before anything was read.
  func published(window: Int, at commit: Commit) -> Published?
}

extension RowsDefinition {
  /// The rows.
  func request(among forms: LiveForms) -> LiveRequest<LiveSnapshot<Element>> {
    let (form, values) = form(among: forms)
    return LiveRequest(
      key: LiveQueryKey(form: form, values: values), presentation: ContentPresentation<RowsPublishing<Element>>.self)
  }

  /// The first row, as a value.
  func firstRowRequest(among forms: LiveForms) -> LiveRequest<LiveReading<Element>> {
    let (form, values) = form(among: forms)
    return LiveRequest(
      key: LiveQueryKey(form: form, values: values), presentation: ContentPresentation<FirstRowPublishing<Element>>.self
    )
  }
}

extension CountDefinition {
  func request(among forms: LiveForms) -> LiveRequest<LiveReading<Int>> {
    let (form, values) = form(among: forms)
    return LiveRequest(
      key: LiveQueryKey(form: form, values: values), presentation: ContentPresentation<ValuePublishing<Int>>.self)
  }
}

extension ValueDefinition {
  func request(among forms: LiveForms) -> LiveRequest<LiveReading<Value>> {
    guard isSummary else { return rows.firstRowRequest(among: forms) }
    return LiveRequest(
      key: LiveQueryKey(form: summaryForm(among: forms), values: []),
      presentation: ContentPresentation<ValuePublishing<Value>>.self)
  }
}
