import Foundation
public import GRDB
import Synchronization

/// How much an acknowledged write survives.
public enum Durability: Hashable, Sendable {
  /// The end of the process at any moment. After a loss of power the last commits may be missing; the database is
  /// consistent (`PRAGMA synchronous = NORMAL`).
  case normal
  /// A loss of power too: every commit waits until the drive has it (`PRAGMA synchronous = FULL`, on Apple platforms
  /// with `fullfsync`).
  case full
}

/// Which statements a recording sees.
public enum StatementTracing: Hashable, Sendable {
  /// Those that Sanderling runs.
  case ownStatements
  /// All of the connection, those of plain GRDB calls too. Takes SQLite's one trace slot of a connection while something
  /// is recorded, and leaves it empty: not for an app that sets a trace of its own.
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
/// other. A store in memory has one connection: there, reads wait for writes.
///
/// All methods can be called from any task and block none; those whose names say so (`Blocking`) block the thread.
public final class Store: Sendable {
  /// The connections, for plain GRDB calls.
  public var writer: any DatabaseWriter { connection.writer }
  /// The file, or `:memory:`.
  public let path: String
  let schema: StoreSchema
  let migrator: DatabaseMigrator?
  let connection: StoreConnection
  let followers = FollowerSlot()
  let liveOptions: LiveOptions
  let queue = WriteQueue()
  private let transactionUnderWay = TransactionUnderWay()
  let tracing: StatementTracing
  /// Guards who listens to all statements.
  let sinks = Lock<[(sink: any StatementSink, includesValues: Bool)]>([])
  /// Whether there is any, so that accesses need not lock to find out.
  let hasSinks = Atomic(false)

  /// Opens a database file, makes it if there is none, and migrates it to the schema.
  ///
  /// This reads and may write the file before it returns: call it off the main thread, or use
  /// ``open(path:schema:durability:migrator:configuration:tracing:)``.
  ///
  /// - Parameters:
  ///   - schema: The records that the database holds.
  ///   - migrator: Steps that renaming, removing or reinterpreting data needs. They run before additive differences are
  ///     made up; a new file gets the final schema at once.
  ///   - configuration: GRDB's, for keys, functions, labels, timeouts and suspension: ``defaultConfiguration`` with changes.
  ///   - clock: By which live results are spaced, for tests.
  ///   - liveInterval: The least time between two changes of live results: the first after a pause comes at once.
  ///   - audit: Whether live results are compared with the database, and how often.
  /// - Throws: ``StoreError/schemaMismatch(_:)`` with a plan when the difference needs a decision;
  ///   ``StoreError/notADatabase(path:)``, ``StoreError/cannotOpen(path:reason:)``, ``StoreError/newerSchema(migrations:)`` and others.
  public init(
    path: String, schema: [any StoredRecord.Type], durability: Durability = .normal, migrator: DatabaseMigrator? = nil,
    configuration: GRDB.Configuration? = nil, tracing: StatementTracing = .allStatements,
    clock: any Clock<Duration> = ContinuousClock(), liveInterval: Duration = defaultLiveInterval,
    audit: LiveAudit = .automatic
  ) throws {
    do {
      var configuration = configuration ?? Self.defaultConfiguration
      if durability == .full {
        configuration.prepareDatabase { db in
          try db.execute(sql: "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
        }
      }
      let pool = try DatabasePool.opening(path: path, configuration: configuration)
      if durability == .full, !configuration.readonly {
        // The pool sets its own level after prepareDatabase.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      }
      let schema = try StoreSchema(schema)
      self.schema = schema
      self.path = path
      self.migrator = migrator
      self.tracing = tracing
      liveOptions = LiveOptions(clock: StoreClock(clock), interval: liveInterval, audit: audit)
      if configuration.readonly {
        try pool.read { try Self.check($0, schema) }
      } else {
        try SchemaMigration.open(pool, schema: schema, migrator: migrator)
      }
      connection = try StoreConnection(pool, ownsWriter: true)
    } catch {
      throw StoreError.wrapping(error, path: path)
    }
  }

  /// Opens a store on a GRDB connection that the app has already, and leaves migrations to the app.
  ///
  /// - Throws: ``StoreError/schemaMismatch(_:)`` when the records can't be read from or written to the tables as they are.
  public init(
    _ writer: any DatabaseWriter, schema: [any StoredRecord.Type], tracing: StatementTracing = .ownStatements,
    clock: any Clock<Duration> = ContinuousClock(), liveInterval: Duration = defaultLiveInterval,
    audit: LiveAudit = .automatic
  ) throws {
    let schema = try StoreSchema(schema)
    self.schema = schema
    self.tracing = tracing
    path = writer.path
    migrator = nil
    liveOptions = LiveOptions(clock: StoreClock(clock), interval: liveInterval, audit: audit)
    do {
      try writer.readUnlessClosed { try Self.check($0, schema) }
      connection = try StoreConnection(writer, ownsWriter: false)
    } catch {
      throw StoreError.wrapping(error, path: writer.path)
    }
  }

  /// Makes a store in memory, for tests and previews.
  public init(
    inMemory schema: [any StoredRecord.Type], configuration: GRDB.Configuration? = nil,
    tracing: StatementTracing = .allStatements, clock: any Clock<Duration> = ContinuousClock(),
    liveInterval: Duration = defaultLiveInterval, audit: LiveAudit = .automatic
  ) throws {
    self.schema = try StoreSchema(schema)
    self.tracing = tracing
    path = ":memory:"
    migrator = nil
    liveOptions = LiveOptions(clock: StoreClock(clock), interval: liveInterval, audit: audit)
    let writer = try DatabaseQueue(configuration: configuration ?? Self.defaultConfiguration)
    try SchemaMigration.open(writer, schema: self.schema, migrator: nil)
    connection = try StoreConnection(writer, ownsWriter: true)
  }

  /// Opens a database file without blocking the caller's thread.
  public static func open(
    path: String, schema: [any StoredRecord.Type], durability: Durability = .normal, migrator: DatabaseMigrator? = nil,
    configuration: GRDB.Configuration? = nil, tracing: StatementTracing = .allStatements,
    clock: any Clock<Duration> = ContinuousClock(), liveInterval: Duration = defaultLiveInterval,
    audit: LiveAudit = .automatic
  ) async throws -> Store {
    try await offThread {
      try Store(
        path: path, schema: schema, durability: durability, migrator: migrator, configuration: configuration,
        tracing: tracing, clock: clock, liveInterval: liveInterval, audit: audit)
    }
  }

  /// The time of a frame on most screens.
  public static let defaultLiveInterval = Duration.seconds(1) / 60

  /// What a store is opened with unless it is told: it waits 5 s for locks. An app that needs more changes a copy.
  public static var defaultConfiguration: GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.busyMode = .timeout(5)
    configuration.label = "Sanderling"
    return configuration
  }

  private static func check(_ db: Database, _ schema: StoreSchema) throws {
    let plan = try SchemaMigration.check(db, schema: schema)
    if plan.isRefused { throw StoreError.schemaMismatch(plan) }
  }

  /// Waits for the accesses that run, and closes the connections. Later accesses throw ``StoreError/closed``, and live results
  /// end with it as their state.
  ///
  /// A writer that the app opened is not closed: the store leaves it, with all that it made on it, once the writer is free.
  ///
  /// - Throws: ``StoreError/busy(path:)`` while a GRDB statement or cursor of the app's own is kept. The store stays open then.
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
  /// Runs a transaction: all of its changes are committed together when the closure returns, and none when it throws.
  ///
  /// Cancelling the task interrupts the statement that runs and undoes the transaction.
  ///
  /// - Parameters:
  ///   - name: The name of the operation that the statements are attributed to; the function and line of the call unless given.
  ///   - priority: Whether it waits behind other writes.
  /// - Returns: What the closure returned. For the commit too, see ``writeWithCommit(_:priority:function:line:_:)``.
  /// - Throws: What the closure throws, ``StoreError``, or `CancellationError`.
  @discardableResult
  nonisolated(nonsending) public func write<Value: Sendable>(
    _ name: String? = nil, priority: WritePriority = .userInitiated, function: StaticString = #function,
    line: UInt = #line, _ body: @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    try await writeWithCommit(name, priority: priority, function: function, line: line, body).value
  }

  /// Runs a transaction as ``write(_:priority:function:line:_:)`` does, and names its commit.
  ///
  /// ```swift
  /// let written = try await store.writeWithCommit { try $0.insert(task) }
  /// try await list.reached(written.commit)
  /// ```
  nonisolated(nonsending) public func writeWithCommit<Value: Sendable>(
    _ name: String? = nil, priority: WritePriority = .userInitiated, function: StaticString = #function,
    line: UInt = #line, _ body: @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Written<Value> {
    let name = OperationName(given: name, function: function, line: line)
    let recording = recording(operation: name)
    defer { followers.current?.writerWasLeft() }
    return try await withTaskExecutorPreference(ImmediateExecutor.shared) {
      try await writeInTurn(name, recording, priority, body)
    }
  }

  /// Runs where the task prefers to, and not where its caller is isolated.
  @concurrent
  private func writeInTurn<Value: Sendable>(
    _ name: OperationName, _ recording: Recording?, _ priority: WritePriority,
    _ body: @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Written<Value> {
    try await queue.run(priority) { turn in
      try await wrappingErrors {
        try await writer.writeWithoutTransaction { db in
          // Here and not in the task, which goes on when its executor has time.
          defer { turn.end() }
          return try transaction(db, name, recording, body)
        }
      }
    }
  }

  /// Runs a transaction on the calling thread, which waits for it. It takes the writer as soon as it is free, before any
  /// waiting ``write(_:priority:function:line:_:)``.
  ///
  /// - Throws: What the closure throws, and ``StoreError``: ``StoreError/nestedTransaction(_:inside:)`` inside of another write of the store.
  @discardableResult
  public func writeBlocking<Value>(
    _ name: String? = nil, function: StaticString = #function, line: UInt = #line,
    _ body: (WriteTransaction) throws -> Value
  ) throws -> Value {
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
    try withRecorder(recording, db) { recorder in
      try db.inTransaction(.immediate) {
        value = try transactionUnderWay.run(name) { try body(WriteTransaction(db, recorder: recorder)) }
        connection.observer(db).transactionWillEnd(db)
        return .commit
      }
    }
    guard let value else { preconditionFailure("a transaction that doesn't throw has a value") }
    return (value, lastCommit)
  }
}

// MARK: - Reading

extension Store {
  /// Runs reads that all see the same state of the database.
  ///
  /// Cancelling the task interrupts the statement that runs.
  public func read<Value: Sendable>(_ body: @Sendable (ReadTransaction) throws -> Value) async throws -> Value {
    let recording = recording(operation: nil)
    return try await wrappingErrors {
      try await writer.readUnlessClosed { db in
        try self.withRecorder(recording, db) { try body(ReadTransaction(db, recorder: $0)) }
      }
    }
  }

  /// Runs reads on the calling thread, which waits for them.
  ///
  /// - Throws: What the closure throws, and ``StoreError``: ``StoreError/nestedTransaction(_:inside:)`` inside of a write of a store that has
  ///   one connection. Where reads have connections of their own, it sees the last commit.
  public func readBlocking<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value {
    if !connection.readsConcurrently { try transactionUnderWay.throwIfInside("A blocking read") }
    let recording = recording(operation: nil)
    return try wrappingErrors {
      try writer.readUnlessClosed { db in
        try withRecorder(recording, db) { try body(ReadTransaction(db, recorder: $0)) }
      }
    }
  }

  /// All rows of a query.
  public func fetch<Root, Output>(_ query: Selection<Root, Output>) async throws -> [Output] {
    try await read { try $0.fetch(query) }
  }

  /// The first row of a query.
  public func fetchFirst<Root, Output>(_ query: Selection<Root, Output>) async throws -> Output? {
    try await read { try $0.fetchFirst(query) }
  }

  /// The record with a key, or nil.
  public func fetch<R: StoredRecord>(_ record: R.Type, key: R.Key) async throws -> R? {
    try await read { try $0.fetch(record, key: key) }
  }

  /// All rows of a query written by hand.
  public func fetch<Output>(_ query: RawQuery<Output>) async throws -> [Output] {
    try await read { try $0.fetch(query) }
  }

  /// How many rows a query returns, counted by SQLite.
  public func count<Root, Output>(_ query: Selection<Root, Output>) async throws -> Int {
    try await read { try $0.count(query) }
  }

  /// Whether a query returns any row.
  public func exists<Root, Output>(_ query: Selection<Root, Output>) async throws -> Bool {
    try await read { try $0.exists(query) }
  }
}

// MARK: - Errors and threads

extension Store {
  func wrappingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      try connection.throwIfClosed()
      return try body()
    } catch {
      throw writer.wrapping(error)
    }
  }

  func wrappingErrors<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      try connection.throwIfClosed()
      return try await body()
    } catch {
      throw writer.wrapping(error)
    }
  }
}

/// Runs work that blocks on a thread of its own, so that it holds none of the threads that tasks share.
func offThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
  }
}
