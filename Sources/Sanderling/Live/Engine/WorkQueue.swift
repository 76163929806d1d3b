/// The queries that have something to do which nobody waits for, one slice after the other. Knows queries by their numbers only;
/// confined to the engine's turns.
final class WorkQueue {
  private var waiting: [Int] = []
  private var members: Set<Int> = []

  var isEmpty: Bool { waiting.isEmpty }

  func set(_ query: Int, hasWork: Bool) {
    if hasWork {
      if members.insert(query).inserted { waiting.append(query) }
    } else {
      remove(query)
    }
  }

  func remove(_ query: Int) {
    if members.remove(query) != nil { waiting.removeAll { $0 == query } }
  }

  /// The one whose turn it is, which goes to the end.
  func next() -> Int? {
    guard let first = waiting.first else { return nil }
    waiting.append(waiting.removeFirst())
    return first
  }
}
