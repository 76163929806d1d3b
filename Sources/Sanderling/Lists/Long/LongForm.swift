/// The form of one long list. It shares its rows with no other list, because its demand directs its query.
final class LongForm<Element: Sendable>: LiveForm {
  private let shape: LongShape<Element>
  let inquiries = LongInquiries<Element>()
  let sizes: BlockSizes
  /// Guards the demand, which the list's consumer changes and the query reads.
  private let wanted: Lock<LongDemand>

  init(_ shape: LongShape<Element>, _ demand: LongDemand, _ sizes: BlockSizes) {
    self.shape = shape
    self.sizes = sizes
    wanted = Lock(demand)
  }

  var demand: LongDemand { wanted.withLock { $0 } }

  /// Stores a consumer's demand, unless it is older than the result of an inquiry.
  func take(_ demand: LongDemand) {
    wanted.withLock { known in
      guard demand.jump >= known.jump else { return }
      let number = known.number + 1
      known = demand
      known.number = number
    }
  }

  /// Stores the demand with its anchor, unless a newer demand has replaced it.
  func anchor(_ demand: LongDemand) {
    wanted.withLock { if $0.number == demand.number { $0 = demand } }
  }

  func makeQuery(_ values: [StorageValue], runAgain reason: RequeryReason?) -> any LiveQuery {
    LongQuery(self, Result { try shape.plan() }, values, runAgain: reason)
  }

  func failRequests(_ error: any Error) {
    inquiries.fail(error)
  }
}

/// The shared part of long lists that differ only in compared values and in the shown rows.
final class LongShape<Element: Sendable>: Sendable {
  private let definition: RowsDefinition<Element>
  /// Guards the plan, which the first list makes.
  private let made = Lock<Result<LongPlan<Element>, any Error>?>(nil)

  init(_ definition: RowsDefinition<Element>) {
    self.definition = definition
  }

  /// Returns the plan, which the first call makes.
  ///
  /// - Throws: ``LongListError``, and the errors of compiling the query.
  func plan() throws -> LongPlan<Element> {
    try made.withLock { made in
      if let made { return made }
      let plan = Result { try LongPlan(definition) }
      made = plan
      return plan
    }.get()
  }
}

extension RowsDefinition {
  /// Returns the form of a long list of the query's rows, and the request for its live query.
  func longForm(
    _ demand: LongDemand, _ sizes: BlockSizes, among forms: LiveForms
  ) -> (form: LongForm<Element>, request: LiveRequest<LongSnapshot<Element>>) {
    let (definition, values) = separated
    let key = LiveForms.Key(
      kind: .long, source: definition.source, prefetched: prefetched, output: ObjectIdentifier(Element.self))
    let form = LongForm(forms.form(key) { LongShape(definition) }, demand, sizes)
    return (
      form, LiveRequest(key: LiveQueryKey(form: form, values: values), presentation: LongPresentation<Element>.self)
    )
  }
}

/// The presentation of a long list: its loaded rows, and the number of all rows.
enum LongPresentation<Element: Sendable>: LivePresentation {
  static func published(_ content: LongContent<Element>, at commit: Commit) -> LongSnapshot<Element> {
    LongSnapshot(content: content, commit: commit, state: .current)
  }
}
