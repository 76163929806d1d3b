import GRDB
import Synchronization

extension Store {
  /// Sends every statement to a sink from now on.
  public func add(_ sink: any StatementSink) {
    sinks.withLock { $0.append(sink) }
    hasSinks.store(true, ordering: .releasing)
  }

  /// Runs work and collects the statements that it makes this store, and any other, run.
  ///
  /// ```swift
  /// let (tasks, statements) = try await store.record { try await store.fetch(query) }
  /// ```
  ///
  /// - Parameter includingValues: Whether bound values are recorded, which may be private.
  public func record<Value>(
    includingValues: Bool = false, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async rethrows -> (value: Value, statements: [StatementRecord]) {
    let collector = StatementCollector(includesValues: includingValues)
    let value = try await StatementCollector.$current.withValue(collector, operation: body)
    return (value, collector.statements)
  }

  /// Who listens to an access, and in whose name it runs.
  struct Recording: Sendable {
    let operation: StoreOperation?
    let sinks: [any StatementSink]
    let includesValues: Bool
  }

  /// Nil when nobody listens, which is found out without a lock.
  func recording(operation name: String?) -> Recording? {
    let collector = StatementCollector.current
    guard collector != nil || hasSinks.load(ordering: .acquiring) else { return nil }
    return Recording(
      operation: name.map { StoreOperation($0) } ?? StoreOperation.current,
      sinks: sinks.withLock { $0 } + (collector.map { [$0] } ?? []),
      includesValues: collector?.asksForValues ?? false)
  }

  func withRecorder<Value>(
    _ recording: Recording?, _ db: Database, _ body: (StatementRecorder?) throws -> Value
  ) throws -> Value {
    guard let recording else { return try body(nil) }
    let recorder = StatementRecorder(
      operation: recording.operation, sinks: recording.sinks, includesValues: recording.includesValues,
      tracesConnection: tracing == .allStatements)
    return try recorder.tracing(db) { try body(recorder) }
  }
}
