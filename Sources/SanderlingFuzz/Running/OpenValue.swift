import Sanderling

/// A live count or value with its consumers.
@MainActor
final class OpenValue<Value: Sendable>: OpenResult {
  private let value: LiveValue<Value>
  private let values: @Sendable (Value) throws -> [StorageValue]
  private var tasks: [Task<Void, Never>] = []
  private(set) var logs: [ConsumerLog] = []

  /// - Parameter readings: A sequence of the store for the same query.
  init(
    _ value: LiveValue<Value>, _ style: OpenStyle, readings: (() -> LiveReadings<Value>)? = nil,
    _ values: @escaping @Sendable (Value) throws -> [StorageValue]
  ) {
    self.value = value
    self.values = values
    for consumer in style.consumers {
      switch consumer {
      case .changes: follow("value.readings", value.readings)
      case .storeSnapshots: readings.map { follow("store.values", $0()) }
      case .snapshots, .storeChanges: break
      }
    }
    if style.isSlow { for log in logs { log.setOpen(false) } }
    _ = value.value
  }

  private func follow(_ name: String, _ readings: LiveReadings<Value>) {
    let log = ConsumerLog(name)
    logs.append(log)
    let values = values
    tasks.append(
      Task.detached {
        for await reading in readings {
          let rows = reading.value.map { [(try? values($0)) ?? []] } ?? []
          log.add(Observation(rows: rows, commit: reading.commit, isCurrent: reading.state.isCurrent), problem: nil)
          await log.pass()
        }
      })
  }

  var window: Int { 1 }

  var shown: Shown {
    let current = value.current
    let rows = current.value.map { [(try? values($0)) ?? []] } ?? []
    return Shown(rows: rows, state: current.state, hasMore: nil, commit: value.commit)
  }

  func suspend() { value.suspend() }
  func resume() { value.resume() }
  func retry() { value.retry() }

  func reached(_ commit: Commit) async throws {
    try await value.reached(commit)
  }

  func close() {
    for task in tasks { task.cancel() }
    for log in logs { log.setOpen(true) }
  }
}
