/// The search and the query of some rows. Inputs that differ only in case are equal.
struct SearchTarget: Equatable {
  let search: TextSearch
  let query: Int
}

/// The rows of a read, with their search and query.
struct HeldSearch<Element: Sendable>: Sendable {
  let search: TextSearch
  let query: Int
  let rows: HeldRows<Element>

  /// Whether a target's rows are certainly among these, and can be found by their texts.
  func has(_ target: SearchTarget) -> Bool {
    guard rows.texts != nil, query == target.query else { return false }
    // For an empty search the read must have been empty too, since that also finds rows without texts.
    return target.search.matchesAll ? search.matchesAll : target.search.narrows(search)
  }
}

/// A read or a search in memory, for a target. Its release cancels the task, and interrupts its statement.
@MainActor
final class SearchWork {
  let target: SearchTarget
  let number: Int
  let isRead: Bool
  var task: Task<Void, Never>?

  init(_ target: SearchTarget, number: Int, isRead: Bool) {
    self.target = target
    self.number = number
    self.isRead = isRead
  }

  deinit {
    task?.cancel()
  }
}
