import Synchronization

/// The tables of which it is noted that a statement may have written them, for queries that are run again.
final class FollowedTables: Sendable {
  /// Guards the folded names.
  private let names = Lock<Set<String>>([])
  private let generation = Atomic<UInt64>(0)
  private let isAny = Atomic(false)

  /// Follows these tables instead of those before. What statements write is noted from the next one on.
  func replace(by tables: Set<String>) {
    names.withLock { $0 = Set(tables.map(\.asciiFolded)) }
    isAny.store(!tables.isEmpty, ordering: .releasing)
    generation.add(1, ordering: .releasing)
  }

  /// Follows fewer tables.
  func narrow(to tables: Set<String>) {
    let kept = names.withLock { $0.intersection(tables.map(\.asciiFolded)) }
    replace(by: kept)
  }

  var isEmpty: Bool { !isAny.load(ordering: .relaxed) }

  /// Grows whenever other tables are followed.
  var currentGeneration: UInt64 { generation.load(ordering: .acquiring) }

  func contains(_ foldedName: String) -> Bool {
    names.withLock { $0.contains(foldedName) }
  }
}
