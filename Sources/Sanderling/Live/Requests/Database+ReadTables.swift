import GRDB
import SanderlingSQLite

extension Database {
  /// Runs a closure of the app, and finds out which tables its statements read.
  ///
  /// SQLite reports the statements of a connection to one function only, and the app may have set it with
  /// `Database.trace`. So only connections of live results are observed. On the app's connections all tables count as
  /// read, which causes more reruns and the same results.
  ///
  /// - Returns: The result of the closure, and the folded names of the tables. A closure that fails has read tables too.
  func recordingReadTables<Value>(
    _ body: (Database) throws -> Value
  ) throws -> (result: Result<Value, any Error>, tables: Set<String>) {
    guard TurnReader.owns(self) else {
      return (Result { try refusingWrites { try body(self) } }, try tables(in: .fullDatabase))
    }
    let recorder = StatementTexts()
    let result = recorder.recording(self) { Result { try refusingWrites { try body(self) } } }
    var region = DatabaseRegion()
    for sql in recorder.texts {
      // A statement of a temporary table that is gone can't be prepared again.
      let statement = try? TextFunctions.registering(on: self) { try cachedStatement(sql: sql) }
      region.formUnion(statement?.databaseRegion ?? .fullDatabase)
    }
    return (result, try tables(in: region))
  }
}

/// Runs code of the app that a live result reads with. An error of a statement that would write names the reason:
/// the permissions of the file are none.
func refusingWrites<Value>(_ body: () throws -> Value) throws -> Value {
  do {
    return try body()
  } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
    throw StoreError.invalidQuery("a live result only reads, and this statement writes: write by the store's write(_:)")
  }
}

/// The SQL of the statements that a connection runs. Belongs to the thread that reads.
private final class StatementTexts {
  private(set) var texts: Set<String> = []

  func recording<Value>(_ db: Database, _ body: () -> Value) -> Value {
    // The unretained reference is safe: the recording ends before this function returns.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_trace_v2(
      db.sqliteConnection, UInt32(SQLITE_TRACE_STMT),
      { _, context, statement, text in
        guard let context, let statement, let text, let sql = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
        // SQLite reports the start of a trigger under the statement that fires it, with a comment as text.
        if UnsafePointer(text.assumingMemoryBound(to: CChar.self)) == sql {
          Unmanaged<StatementTexts>.fromOpaque(context).takeUnretainedValue().texts.insert(String(cString: sql))
        }
        return 0
      }, context)
    defer { sqlite3_trace_v2(db.sqliteConnection, 0, nil, nil) }
    return withExtendedLifetime(self) { body() }
  }
}
