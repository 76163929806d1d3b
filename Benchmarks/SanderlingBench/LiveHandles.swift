import Sanderling

/// A live result of any type, held as a view would hold it.
@MainActor
struct LiveHandle {
  /// Accesses the shown values, and returns whether they are current.
  let look: () -> Bool

  init<Element: Sendable>(_ list: LiveList<Element>) {
    look = {
      _ = list.rows.count
      return list.state.isCurrent
    }
  }

  init<Value: Sendable>(_ value: LiveValue<Value>) {
    look = {
      _ = value.value
      return value.state.isCurrent
    }
  }
}

/// The live results that a case keeps open on one store.
@MainActor
final class LiveHandles {
  private(set) var all: [LiveHandle] = []

  nonisolated init() {}

  /// Opens results and waits until each of them is current.
  func open(on store: Store, _ make: @MainActor (Store) -> [LiveHandle]) async throws {
    let handles = make(store)
    for handle in handles { _ = handle.look() }
    all += handles
    try await awaitCurrent(on: store)
  }

  /// Waits until every commit is delivered and every result is current.
  func awaitCurrent(on store: Store) async throws {
    await store.settled()
    let missing = all.count { !$0.look() }
    guard missing == 0 else { throw BenchmarkError("\(missing) of \(all.count) live results are not current") }
  }

  func close() {
    all = []
  }
}

struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
