/// The form of one long list. It shares its rows with no other list, because its demand directs its query.
final class LongForm<Element: Sendable>: LiveForm {
  private let shape: LongShape<Element>
  let inquiries = LongInquiries<Element>()
  let sizes: BlockSizes
  /// Guards the demand, which the list's consumer changes and its query reads.
  private let wanted: Lock<LongDemand>

  init(_ shape: LongShape<Element>, _ demand: LongDemand, _ sizes: BlockSizes) {
    self.shape = shape
    self.sizes = sizes
    wanted = Lock(demand)
  }

  var demand: LongDemand { wanted.withLock { $0 } }

  /// Takes a consumer's demand, unless it is older than the result of an inquiry.
  func take(_ demand: LongDemand) {
    wanted.withLock { known in
      guard demand.jump >= known.jump else { return }
      let number = known.number + 1
      known = demand
      known.number = number
    }
  }

  /// Anchors the demand to a loaded row, unless there is another demand meanwhile.
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
  /// Guards the plan, which is made for the first list.
  private let made = Lock<Result<LongPlan<Element>, any Error>?>(nil)

  init(_ definition: RowsDefinition<Element>) {
    self.definition = definition
  }

  /// - Throws: ``LongListError``, and why the query can't be compiled.
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
  /// A long list of the query's rows.
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

/// The rows of a long list that are loaded, and how many there are.
enum LongPresentation<Element: Sendable>: LivePresentation {
  static func published(_ content: LongContent<Element>, at commit: Commit) -> LongSnapshot<Element> {
    LongSnapshot(content: content, commit: commit, state: .current)
  }
}
