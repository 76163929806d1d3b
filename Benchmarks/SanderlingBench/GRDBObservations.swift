import Foundation
import GRDB
import Sanderling
import Synchronization

/// The values that GRDB's observations of the live suite's lists read: rows decoded by column index, which is GRDB's
/// fastest way.
enum GRDBTodo {
  struct Task: FetchableRecord {
    let id: Int64
    let projectID: Int64
    let title: String
    let isCompleted: Bool
    let dueAt: Double?

    init(row: Row) {
      id = row[0]
      projectID = row[1]
      title = row[2]
      isCompleted = row[3]
      dueAt = row[4]
    }
  }

  struct Summary: FetchableRecord {
    let id: Int64
    let name: String
    let openTasks: Int
    let completedTasks: Int
    let comments: Int

    init(row: Row) {
      id = row[0]
      name = row[1]
      openTasks = row[2]
      completedTasks = row[3]
      comments = row[4]
    }
  }
}

/// Many observations by GRDB on one database, delivered on the main actor.
@MainActor
final class GRDBObservations {
  let pool: DatabasePool
  private var observations: [AnyDatabaseCancellable] = []
  /// The number of values delivered so far, by observation.
  private(set) var deliveries: [Int] = []
  private(set) var failure: (any Error)?
  private var waiting: CheckedContinuation<Void, Never>?
  /// Incremented when all observations are ended, so that late values of ended observations are not counted.
  private var generation = 0
  /// Called with the number of an observation when it delivers a value.
  var delivered: (Int) -> Void = { _ in }

  /// The time of the last delivered value.
  private(set) var lastDelivery: ContinuousClock.Instant?
  private let quietTime: Duration

  convenience init(_ data: LiveData, projectCount: Int? = nil) throws {
    try self.init(path: data.copy(projectCount: projectCount), quietTime: data.quietTime)
  }

  init(path: String, quietTime: Duration) throws {
    self.quietTime = quietTime
    var configuration = Configuration()
    // A store that was just released, or another connection, may still be closing the file.
    configuration.busyMode = .timeout(5)
    pool = try DatabasePool(path: path, configuration: configuration)
  }

  var deliveryCount: Int { deliveries.reduce(0, +) }

  /// Observes a value.
  ///
  /// - Parameter isConstant: Whether the observation declares that it always reads the same region. GRDB then reads
  ///   concurrently with writes.
  func observe<Value: Sendable>(isConstant: Bool, _ fetch: @escaping @Sendable (Database) throws -> Value) {
    let (number, generation) = (deliveries.count, generation)
    deliveries.append(0)
    let changed: @MainActor (Value) -> Void = { [weak self] _ in
      if let self, self.generation == generation { self.tell(number) }
    }
    let failed: @MainActor (any Error) -> Void = { [weak self] in
      self?.failure = $0
      self?.resume()
    }
    observations.append(
      isConstant
        ? ValueObservation.trackingConstantRegion(fetch).start(in: pool, onError: failed, onChange: changed)
        : ValueObservation.tracking(fetch).start(in: pool, onError: failed, onChange: changed))
  }

  /// Observes lists of the live suite.
  func observe(_ mixture: LiveMixture, _ count: Int, of data: LiveData, isConstant: Bool) {
    for number in 0..<count {
      let place = mixture.place(number)
      let sql = place.kind.sql(place.number, of: data)
      if place.kind == .aggregates {
        observe(isConstant: isConstant) { try GRDBTodo.Summary.fetchAll($0, sql: sql) }
      } else {
        observe(isConstant: isConstant) { try GRDBTodo.Task.fetchAll($0, sql: sql) }
      }
    }
  }

  /// Waits until each observation has a value and none has arrived for a quiet time.
  ///
  /// - Returns: The time of the last value.
  @discardableResult
  func settled() async throws -> ContinuousClock.Instant? {
    var last = -1
    while deliveryCount != last || deliveries.contains(0) {
      last = deliveryCount
      try await Task.sleep(for: quietTime)
      if let failure { throw failure }
    }
    return lastDelivery
  }

  /// Waits until each observation has a value.
  func allDelivered() async throws {
    while deliveries.contains(0) {
      await withCheckedContinuation { waiting = $0 }
      if let failure { throw failure }
    }
  }

  private func tell(_ number: Int) {
    deliveries[number] += 1
    lastDelivery = .now
    delivered(number)
    resume()
  }

  private func resume() {
    waiting?.resume()
    waiting = nil
  }

  /// Ends all observations.
  func forget() {
    observations = []
    deliveries = []
    generation += 1
  }

  func close() throws {
    observations = []
    try pool.close()
  }
}

extension DatabasePool {
  /// Toggles a task's flag, by hand.
  func toggle(_ task: Int64) async throws {
    try await write { db in
      try db.execute(sql: "UPDATE todoTask SET isCompleted = 1 - isCompleted WHERE id = ?", arguments: [task])
    }
  }
}
