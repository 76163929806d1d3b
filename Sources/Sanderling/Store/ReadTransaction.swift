public import GRDB
import SanderlingSQLite

/// A transaction whose reads all see the same snapshot of the database.
///
/// Valid inside of the closure that receives it, on the thread that runs the closure.
public class ReadTransaction {
  /// The connection, for plain GRDB calls.
  public let database: Database
  let recorder: StatementRecorder?
  /// Whether prefetched rows come with fingerprints, which live results need.
  let fingerprintsRows: Bool
  /// The worker that is woken if rows wait to be folded.
  private let folding: FoldWorker?

  init(
    _ database: Database, recorder: StatementRecorder?, fingerprintsRows: Bool = false, folding: FoldWorker? = nil
  ) {
    self.folding = folding
    self.database = database
    self.recorder = recorder
    self.fingerprintsRows = fingerprintsRows
  }
}

@available(*, unavailable)
extension ReadTransaction: Sendable {}

extension ReadTransaction {
  /// Reads all rows of a query.
  ///
  /// - Throws: ``StoreError``.
  /// - Complexity: O(rows) in time and memory. ``forEach(_:_:)`` reads many rows in little memory.
  public func fetch<Root, Output>(_ query: Selection<Root, Output>) throws -> [Output] {
    let statement = try query.sql
    let compilation = query.compilation
    let rows = try execute(statement.sql, expecting: compilation.lastCount.load(ordering: .relaxed)) {
      try $0.bind(statement.arguments)
    } read: { rows in
      try StoreError.locating(Output.self) { try query.decodeAll(rows) }
    }
    compilation.lastCount.store(rows.count, ordering: .relaxed)
    return rows
  }

  /// Reads the first row of a query; nil if there is none.
  public func fetchFirst<Root, Output>(_ query: Selection<Root, Output>) throws -> Output? {
    try fetch(query.limit(Swift.min(query.statement.limit ?? 1, 1), offset: query.statement.offset)).first
  }

  /// Reads the record with a key; nil if the record's default scope has none.
  ///
  /// - Complexity: O(log n) by the table's key.
  public func fetch<R: StoredRecord>(_ record: R.Type, key: R.Key) throws -> R? {
    try R.scopeTerm == nil ? row(record, key: key) : fetchFirst(R.find(key))
  }

  /// Reads the record with a key, regardless of its default scope; nil if there is none.
  func row<R: StoredRecord>(_ record: R.Type, key: R.Key) throws -> R? {
    var result: R?
    try run(R.table.statements.selectByKey) { parameters in
      try R._bind(key: key, to: parameters, from: 1)
    } row: { row in
      result = try StoreError.locating(R.self) { try R(_reading: row) }
    }
    return result
  }

  /// Reads the record with a key.
  ///
  /// - Throws: ``StoreError/notFound(table:)`` if the record's default scope has none.
  public func find<R: StoredRecord>(_ record: R.Type, key: R.Key) throws -> R {
    guard let result = try fetch(record, key: key) else { throw StoreError.notFound(table: R.table.name) }
    return result
  }

  /// Reads all rows of a query written by hand.
  public func fetch<Output>(_ query: RawQuery<Output>) throws -> [Output] {
    if let names = query.names { try check(names) }
    let statement = try query.sql
    return try execute(statement.sql) {
      try $0.bind(statement.arguments)
    } read: {
      try query.decodeAll($0)
    }
  }

  /// Counts the rows of a query in SQLite.
  public func count<Root, Output>(_ query: Selection<Root, Output>) throws -> Int {
    Int(clamping: try integer(query.statement.countStatement))
  }

  /// Whether a query returns any row.
  public func exists<Root, Output>(_ query: Selection<Root, Output>) throws -> Bool {
    try integer(query.statement.existsStatement) != 0
  }

  /// Calls `body` with each row of a query, one at a time.
  ///
  /// The closure may run other queries, including the same one.
  public func forEach<Root, Output>(_ query: Selection<Root, Output>, _ body: (Output) throws -> Void) throws {
    let decode = query.decode
    try run(query.sql) { row in try body(StoreError.locating(Output.self) { try decode(row) }) }
  }

  /// Checks the column names of the SELECT as it was written. Its prepared statement is kept.
  private func check(_ names: ColumnNames) throws {
    let sql = try SQLCompiler.compile(raw: names.fragments).sql
    do {
      try names.check(prepare(sql).columnNames)
    } catch {
      throw StoreError.wrapping(error, sql: sql, path: database.path)
    }
  }

  private func integer(_ statement: SQLStatement) throws -> Int64 {
    var result: Int64 = 0
    try run(statement) { result = try $0.integer(at: 0, for: Int64.self) }
    return result
  }
}

// MARK: - Running statements

extension ReadTransaction {
  func run(_ statement: SQLStatement, row: (ResultRow) throws -> Void) throws {
    try run(statement.sql) {
      try $0.bind(statement.arguments)
    } row: {
      try row($0)
    }
  }

  /// Runs a statement. The prepared statement is kept for the next time.
  ///
  /// - Parameters:
  ///   - bind: Binds the parameters.
  ///   - row: Called with each row.
  package func run(
    _ sql: String, bind: (ParameterBinder) throws -> Void, row: (ResultRow) throws -> Void = { _ in }
  ) throws {
    try execute(sql, bind: bind) { try $0.forEach(row) }
  }

  private func execute<Result>(
    _ sql: String, expecting expectedCount: Int = 0, bind: (ParameterBinder) throws -> Void,
    read: (ResultRows) throws -> Result
  ) throws -> Result {
    do {
      let execution = StatementExecution(try prepare(sql), recorder: recorder)
      defer { execution.finish() }
      try execution.bind(bind)
      return try read(ResultRows(source: execution, expectedCount: expectedCount))
    } catch {
      throw StoreError.wrapping(error, sql: sql, path: database.path)
    }
  }

  /// A prepared statement that isn't running.
  func prepare(_ sql: String) throws -> Statement {
    try database.idleStatement(sql: sql) { folding?.wake() }
  }
}
