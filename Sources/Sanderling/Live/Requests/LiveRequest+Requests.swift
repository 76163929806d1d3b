import GRDB

/// A live result of a GRDB request or of a closure. It shares its state with no other, since GRDB's requests can't be
/// compared.
final class RerunForm: LiveForm {
  private let reason: RequeryReason
  private let make: @Sendable (RequeryReason) -> any LiveQuery

  init(_ reason: RequeryReason, _ make: @escaping @Sendable (RequeryReason) -> any LiveQuery) {
    self.reason = reason
    self.make = make
  }

  func makeQuery(_ values: [StorageValue], runAgain reason: RequeryReason?) -> any LiveQuery {
    make(reason ?? self.reason)
  }
}

extension RequeryReason {
  static let isRequest = RequeryReason("it is a request of GRDB, which tells the tables that it reads and no more")
  static let isClosure = RequeryReason("it is a closure, and only its run shows which tables it reads")
}

extension LiveRequest {
  /// The rows of a request.
  init<Request: FetchRequest>(rowsOf request: Request, window: Int)
  where Request.RowDecoder: Sendable, Published == LiveSnapshot<Request.RowDecoder> {
    let rows = FetchedRows(request: request, window: window)
    self.init(
      key: LiveQueryKey(form: RerunForm(.isRequest) { RequeriedRows(rows, reason: $0) }, values: []),
      presentation: RowsPresentation<Request.RowDecoder>.self)
  }

  private init<Value: Sendable>(_ source: RerunValue<Value>, _ reason: RequeryReason)
  where Published == LiveReading<Value> {
    self.init(
      key: LiveQueryKey(form: RerunForm(reason) { RequeriedValue(source, reason: $0) }, values: []),
      presentation: ValuePresentation<Value>.self)
  }

  /// The first row of a request, as GRDB's `fetchOne` returns it.
  init<Request: FetchRequest>(firstRowOf request: Request)
  where Request.RowDecoder: Sendable, Published == LiveReading<Request.RowDecoder> {
    let source = RerunValue<Request.RowDecoder>(
      readTables: { try $0.tables(readBy: request) },
      read: { db in
        let noted = LimitedRequest(request, limit: nil)
        let reader = try FetchedRowReader<Request.RowDecoder>(db)
        let row = try refusingWrites { try Row.fetchOne(db, noted) }
        return .init(
          value: .success(try row.flatMap(reader.single)), version: row?.fingerprint ?? 0,
          statement: noted.sql.take().map { SQLStatement(sql: $0, arguments: []) })
      })
    self.init(source, .isRequest)
  }

  /// The number of a request's rows.
  init(countOf request: some FetchRequest) where Published == LiveReading<Int> {
    let source = RerunValue<Int>(
      readTables: { try $0.tables(readBy: request) },
      read: { db in
        let count = try request.fetchCount(db)
        return .init(value: .success(count), version: UInt64(count))
      })
    self.init(source, .isRequest)
  }

  /// The value that a closure reads.
  init<Value: Sendable>(reading read: @escaping @Sendable (Database) throws -> Value)
  where Published == LiveReading<Value> {
    let source = RerunValue<Value>(
      readTables: { try $0.recordingReadTables(read).tables },
      read: { db in
        let (result, tables) = try db.recordingReadTables(read)
        return .init(value: result.map(Optional.some), tables: tables)
      })
    self.init(source, .isClosure)
  }
}
