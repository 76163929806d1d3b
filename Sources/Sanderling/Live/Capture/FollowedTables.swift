import Synchronization

/// The tables that rerun queries read. Statements that may write these tables are noted.
final class FollowedTables: Sendable {
  /// Guards the folded names.
  private let names = Lock<Set<String>>([])
  private let generation = Atomic<UInt64>(0)
  private let isAny = Atomic(false)

  /// Follows these tables in place of the former ones. Takes effect with the next statement.
  func replace(by tables: Set<String>) {
    change { $0 = Set(tables.map(\.asciiLowercased)) }
  }

  /// Stops following these tables.
  func remove(_ tables: Set<String>) {
    change { $0.subtract(tables.map(\.asciiLowercased)) }
  }

  /// Changes the names in one step, since the writer's queue and a turn may change them at once.
  private func change(_ body: (inout Set<String>) -> Void) {
    names.withLock { names in
      body(&names)
      isAny.store(!names.isEmpty, ordering: .releasing)
      generation.add(1, ordering: .releasing)
    }
  }

  var isEmpty: Bool { !isAny.load(ordering: .relaxed) }

  /// A number that grows with each change of the followed tables.
  var currentGeneration: UInt64 { generation.load(ordering: .acquiring) }

  /// The folded names.
  var all: Set<String> { names.withLock { $0 } }

  func contains(_ foldedName: String) -> Bool {
    names.withLock { $0.contains(foldedName) }
  }
}
