import GRDB
import Synchronization

extension Store {
  /// Sends every statement to a sink from now on.
  ///
  /// - Parameter includingValues: Whether the sink receives bound values, which may be private.
  public func add(_ sink: any StatementSink, includingValues: Bool = false) {
    let listener = includingValues ? sink : SinkWithoutValues(sink: sink)
    sinks.withLock { $0.append((listener, includingValues)) }
    hasSinks.store(true, ordering: .releasing)
  }

  /// Runs work, and collects the statements that the work runs in this store and in others.
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

  /// The listeners to an access, and the operation of the access.
  struct Recording: Sendable {
    let operation: StoreOperation?
    let sinks: [any StatementSink]
    let includesValues: Bool
  }

  /// The recording of an access; nil if there are no listeners, which needs no lock to find out.
  func recording(operation name: OperationName?) -> Recording? {
    let collector = StatementCollector.current
    guard collector != nil || hasSinks.load(ordering: .acquiring) else { return nil }
    let listeners = sinks.withLock { $0 }
    return Recording(
      operation: name.map { StoreOperation($0.text) } ?? StoreOperation.current,
      sinks: listeners.map(\.sink) + (collector.map { [$0] } ?? []),
      includesValues: collector?.asksForValues == true || listeners.contains(where: \.includesValues))
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
