import Synchronization

/// The tables whose writing statements are noted, for rerun queries.
final class FollowedTables: Sendable {
  /// Guards the folded names.
  private let names = Lock<Set<String>>([])
  private let generation = Atomic<UInt64>(0)
  private let isAny = Atomic(false)

  /// Follows these tables instead of the earlier ones, beginning with the next statement.
  func replace(by tables: Set<String>) {
    change { $0 = Set(tables.map(\.asciiLowercased)) }
  }

  /// Follows these tables no more.
  func remove(_ tables: Set<String>) {
    change { $0.subtract(tables.map(\.asciiLowercased)) }
  }

  /// In one go: the writer's queue and a turn may change them at once.
  private func change(_ body: (inout Set<String>) -> Void) {
    names.withLock { names in
      body(&names)
      isAny.store(!names.isEmpty, ordering: .releasing)
      generation.add(1, ordering: .releasing)
    }
  }

  var isEmpty: Bool { !isAny.load(ordering: .relaxed) }

  /// Grows whenever other tables are followed.
  var currentGeneration: UInt64 { generation.load(ordering: .acquiring) }

  func contains(_ foldedName: String) -> Bool {
    names.withLock { $0.contains(foldedName) }
  }
}
