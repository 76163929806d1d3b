/// The plan that the queries of a form share, made with the first of them.
final class FormPlan<Plan: Sendable>: Sendable {
  /// Guards the plan. Two threads that ask at once may both make it.
  private let made = Lock<Result<Plan, RequeryReason>?>(nil)

  /// - Parameter make: Makes the plan, or throws the reason why queries of the form are rerun.
  /// - Throws: ``RequeryReason``.
  func get(_ make: () throws -> Plan) throws -> Plan {
    if let known = made.withLock({ $0 }) { return try known.get() }
    let result = Result(catching: make).mapError { RequeryReason($0) }
    made.withLock { $0 = result }
    return try result.get()
  }
}

/// The forms of an engine's live queries: the forms in use, and the last forms without queries, because screens are
/// often shown again.
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
    /// The type of the elements or the value; nil for counts.
    let output: ObjectIdentifier?
  }

  private struct Reference: Sendable {
    weak var form: (any AnyObject & Sendable)?
  }

  private struct State {
    var references: [Key: Reference] = [:]
    /// The last forms that were made, the newest at the end. They are kept without users.
    var recent: [any AnyObject & Sendable] = []
    /// The number of references at which released forms are removed.
    var sweepCount = 64
  }

  /// The most forms that are kept without users, at some kilobytes each.
  private static let recentCount = 32

  /// Guards the forms. Held while a form is looked up or made, which is cheap.
  private let state = Lock(State())

  /// Returns the form with a key.
  ///
  /// - Parameter make: Makes the form, if there is none.
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
