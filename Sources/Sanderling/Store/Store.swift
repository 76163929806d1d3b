import Foundation
public import GRDB
import Synchronization

/// The statements that a recording receives.
public enum StatementTracing: Hashable, Sendable {
  /// The statements of Sanderling.
  case ownStatements
  /// All statements of the connection, including those of plain GRDB calls. Uses SQLite's only trace slot of a
  /// connection during a recording, and then leaves the slot empty. So it is not for an app that sets a trace itself.
  case allStatements
}

/// A database of records.
///
/// ```swift
/// let store = try Store(path: path, schema: [Project.self, TodoTask.self])
/// try await store.write("add task") { tx in try tx.insert(task) }
/// let page = try await store.fetch(TodoTask.where { !$0.isCompleted }.order { $0.dueAt }.limit(50))
/// ```
///
/// Reads run beside each other and beside a write, and see the last commit before they began. Writes run one after the
/// other. A store in memory, or on a `DatabaseQueue`, has only one connection, so its reads wait for writes.
///
/// All methods can be called from any task, and asynchronous ones block no thread. Opening by `init`, ``close()``, and
/// methods named `Blocking` block the calling thread.
public final class Store: Sendable {
  /// The connections, for plain GRDB calls.
  public var writer: any DatabaseWriter { connection.writer }
  /// The path of the file, or `:memory:`.
  public let path: String
  let schema: StoreSchema
  let contents: StoreContents
  let connection: StoreConnection
  let followers = FollowerSlot()
  let schemaRepairs = SchemaRepairs()
  let liveOptions: LiveOptions
  /// The error of each write, if another library owns the database and the store only reads it.
  let refusal: StoreError?
  let queue = WriteQueue()
  let transactionUnderWay = TransactionUnderWay()
  let tracing: StatementTracing
  /// Guards the listeners that receive all statements.
  let sinks = Lock<[(sink: any StatementSink, includesValues: Bool)]>([])
  /// Whether there is such a listener, so that accesses find out without a lock.
  let hasSinks = Atomic(false)
  /// Guards the forms of queries for which a missing index was reported.
  let reportedForms = Lock<Set<UInt64>>([])

  init(
    _ connection: StoreConnection, path: String, schema: StoreSchema, contents: StoreContents,
    tracing: StatementTracing,
    liveOptions: LiveOptions, refusal: StoreError? = nil
  ) {
    self.connection = connection
    self.path = path
    self.schema = schema
    self.contents = contents
    self.tracing = tracing
    self.liveOptions = liveOptions
    self.refusal = refusal
    // Never removed: the repairs are the store's own, and refer to nothing but the declarations.
    if let tables = connection.history?.tables { _ = schemaRepairs.add { try tables.install($0.database) } }
  }

  /// Waits for running accesses, and closes the connections. Later accesses throw ``StoreError/closed``, and live
  /// results end in that state.
  ///
  /// A writer that the app opened is not closed. The store leaves it with everything that the store made on it, once
  /// the writer is free.
  ///
  /// - Throws: ``StoreError/busy(path:holders:duration:)`` while the app keeps a GRDB statement or cursor. Then the store stays open.
  public func close() throws {
    do {
      try connection.close()
    } catch {
      throw writer.wrapping(error)
    }
    followers.current?.storeWasClosed()
  }
}

// MARK: - Writing

extension Store {
  /// Runs a transaction. All of its changes are committed together when the closure returns, and none if it throws.
  ///
  /// Cancelling the task interrupts the running statement and undoes the transaction.
  ///
  /// - Parameters:
  ///   - name: The name of the operation to which the statements are attributed; by default, the function and line of
  ///     the call.
  ///   - priority: The priority among waiting writes.
  /// - Returns: The result of the closure. ``writeWithCommit(_:priority:function:line:_:)`` also returns the commit.
  /// - Throws: The errors of the closure, ``StoreError``, or `CancellationError`.
  @discardableResult
  nonisolated(nonsending) public func write<Value: Sendable>(
    _ name: String? = nil, priority: WritePriority = .userInitiated, function: StaticString = #function,
    line: UInt = #line, _ body: @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    try await writeWithCommit(name, priority: priority, function: function, line: line, body).value
  }

  /// Runs a transaction like ``write(_:priority:function:line:_:)``, and also returns its commit.
  ///
  /// ```swift
  /// let written = try await store.writeWithCommit { try $0.insert(task) }
  /// try await list.reached(written.commit)
  /// ```
  nonisolated(nonsending) public func writeWithCommit<Value: Sendable>(
    _ name: String? = nil, priority: WritePriority = .userInitiated, function: StaticString = #function,
    line: UInt = #line, _ body: @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Written<Value> {
    try await write(OperationName(given: name, function: function, line: line), priority) { writer in
      try writer.transaction(body)
    }
  }

  /// The writer of a store during one write. Outside of a transaction, until it runs one.
  struct WriterAccess {
    let database: Database
    fileprivate let store: Store
    fileprivate let name: OperationName
    fileprivate let recording: Recording?

    func transaction<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Written<Value> {
      try store.transaction(database, name, recording, body)
    }
  }

  /// Waits for the writer, and holds it exclusively until `access` returns.
  nonisolated(nonsending) func write<Result: Sendable>(
    _ name: OperationName, _ priority: WritePriority, _ access: @Sendable (WriterAccess) throws -> Result
  ) async throws -> Result {
    try throwIfRefused()
    let recording = recording(operation: name)
    defer { followers.current?.writerWasLeft() }
    return try await withTaskExecutorPreference(ImmediateExecutor.shared) {
      try await writeInTurn(priority) { db in
        try access(WriterAccess(database: db, store: self, name: name, recording: recording))
      }
    }
  }

  /// Runs on the executor that the task prefers, and not on the caller's actor.
  @concurrent
  private func writeInTurn<Result: Sendable>(
    _ priority: WritePriority, _ access: @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try await queue.run(priority) { turn in
      try await wrappingErrors {
        try await writer.writeWithoutTransaction { db in
          // The turn ends here, on the writer's queue. The task continues only when its executor has time.
          defer { turn.end() }
          return try access(db)
        }
      }
    }
  }

  /// Runs a transaction, and blocks the calling thread. It takes the writer as soon as it is free, before any waiting
  /// ``write(_:priority:function:line:_:)``.
  ///
  /// - Throws: The errors of the closure, and ``StoreError``: ``StoreError/nestedTransaction(_:inside:)`` inside of
  ///   another write of the store.
  @discardableResult
  public func writeBlocking<Value>(
    _ name: String? = nil, function: StaticString = #function, line: UInt = #line,
    _ body: (WriteTransaction) throws -> Value
  ) throws -> Value {
    try throwIfRefused()
    let name = OperationName(given: name, function: function, line: line)
    try transactionUnderWay.throwIfInside("The write \"\(name.text)\"")
    let recording = recording(operation: name)
    return try wrappingErrors {
      defer { followers.current?.writerWasLeft() }
      return try writer.writeWithoutTransaction { db in
        try transactionValue(db, name, recording, body).value
      }
    }
  }

  /// Checks that the store writes its database.
  func throwIfRefused() throws {
    if let refusal { throw refusal }
  }

  /// The last commit through the store's writer.
  public var lastCommit: Commit { Commit(number: connection.sequence.number) }

  private func transaction<Value>(
    _ db: Database, _ name: OperationName, _ recording: Recording?, _ body: (WriteTransaction) throws -> Value
  ) throws -> Written<Value> {
    let (value, commit) = try transactionValue(db, name, recording, body)
    return Written(value: value, commit: commit)
  }

  private func transactionValue<Value>(
    _ db: Database, _ name: OperationName, _ recording: Recording?, _ body: (WriteTransaction) throws -> Value
  ) throws -> (value: Value, commit: Commit) {
    try db.throwIfClosed()
    let follower = followers.current
    follower?.transactionBegins()
    defer { follower?.transactionEnded() }
    var value: Value?
    var repaired: Int64?
    try withRecorder(recording, db) { recorder in
      try db.inTransaction(.immediate) {
        repaired = try schemaRepairs.run(db)
        let firstNote = try connection.history.map { _ in try HistoryWriter.last(db) }
        let changes = db.totalChangesCount
        value = try transactionUnderWay.run(name) {
          try body(WriteTransaction(db, recorder: recorder, folding: connection.folding))
        }
        try connection.folding?.foldBeforeCommit(db, changes: db.totalChangesCount - changes)
        if let firstNote { try connection.history?.name(after: firstNote, name, db) }
        connection.observer(db).transactionWillEnd(db)
        return .commit
      }
    }
    schemaRepairs.committed(repaired)
    guard let value else { preconditionFailure("a transaction that doesn't throw has a value") }
    return (value, lastCommit)
  }
}

// MARK: - Errors and threads

extension Store {
  func wrappingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    let start = ContinuousClock.now
    do {
      try connection.throwIfClosed()
      return try body()
    } catch {
      throw writer.wrapping(error, since: start)
    }
  }

  func wrappingErrors<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async throws -> Value {
    let start = ContinuousClock.now
    do {
      try connection.throwIfClosed()
      return try await body()
    } catch {
      throw writer.wrapping(error, since: start)
    }
  }
}

/// Runs blocking work on Dispatch's global queue, so that it blocks none of the threads that tasks share.
package func offThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
  }
}
