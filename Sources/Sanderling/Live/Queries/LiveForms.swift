/// The shared parts of the queries of a form. The first query makes them.
final class FormPlan<Plan: Sendable>: Sendable {
  /// Guards the parts. Two threads that ask at the same time may both make them.
  private let made = Lock<Result<Plan, RequeryReason>?>(nil)

  /// - Parameter make: Makes the plan, or throws why queries of the form are run again.
  /// - Throws: ``RequeryReason``.
  func get(_ make: () throws -> Plan) throws -> Plan {
    if let known = made.withLock({ $0 }) { return try known.get() }
    let result = Result(catching: make).mapError { RequeryReason($0) }
    made.withLock { $0 = result }
    return try result.get()
  }
}

/// The forms of an engine's live queries: those in use, and the last that were made, since screens that are left are often shown again.
final class LiveForms: Sendable {
  /// The identity of a form.
  struct Key: Hashable, Sendable {
    enum Source: Hashable, Sendable {
      case statement(SelectStatement)
      case raw([RawFragment])
    }

    enum Kind: Hashable, Sendable {
      case rows, count, summary, long
    }

    let kind: Kind
    let source: Source
    var prefetched: [PrefetchedRows] = []
    /// The type of the read values; `Void` for counts.
    let output: ObjectIdentifier?
  }

  private struct Reference: Sendable {
    weak var form: (any AnyObject & Sendable)?
  }

  private struct State {
    var references: [Key: Reference] = [:]
    /// Kept without users, the newest at the end.
    var recent: [any AnyObject & Sendable] = []
    /// The number of forms at which unused ones are searched.
    var sweepCount = 64
  }

  /// How many forms are kept without users, at some kilobytes each.
  private static let recentCount = 32

  /// Guards which forms there are. Held while one is looked for, or made, which does no work.
  private let state = Lock(State())

  /// The form with a key.
  ///
  /// - Parameter make: Makes it, if there is none.
  func form<Form: AnyObject & Sendable>(_ key: Key, make: () -> Form) -> Form {
    state.withLock { state in
      if let known = state.references[key]?.form as? Form { return known }
      let form = make()
      if state.references.count >= state.sweepCount {
        state.references = state.references.filter { $0.value.form != nil }
        state.sweepCount = max(64, 2 * state.references.count)
      }
      state.references[key] = Reference(form: form)
      if state.recent.count == Self.recentCount { state.recent.removeFirst() }
      state.recent.append(form)
      return form
    }
  }

  /// Keeps only the forms in use.
  func releaseMemory() {
    state.withLock { $0.recent = [] }
  }
}
