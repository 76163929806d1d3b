import GRDB

/// A value that row changes can't maintain. It is read again after a change of any table that it depends on.
final class RequeriedValue<Value: Sendable>: LiveQuery {
  /// The result of a load.
  private struct Reading: Sendable {
    let value: Value?
    let version: UInt64
  }

  let following: QueryFollowing
  private let makeStatement: @Sendable () throws -> SQLStatement
  private let decode: @Sendable (ResultRow) throws -> Value
  private var reading: Reading?
  private var loaded = LoadSlot<Reading>()

  init(
    _ reason: RequeryReason, statement: @escaping @Sendable () throws -> SQLStatement,
    decode: @escaping @Sendable (ResultRow) throws -> Value
  ) {
    following = .runAgain(reason)
    makeStatement = statement
    self.decode = decode
  }

  func content(window: Int) -> ValueContent<Value>? {
    reading.map { ValueContent(value: $0.value, version: $0.version) }
  }

  func readTables(_ db: Database) throws -> Set<String> {
    try db.tables(readBy: makeStatement())
  }

  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void {
    let (makeStatement, decode, loaded) = (makeStatement, decode, loaded.begin())
    return { db in
      let (value, version) = try db.value(of: makeStatement(), decode)
      loaded.put(Reading(value: value, version: version))
    }
  }

  func endLoad(window: Int) -> QueryOutcome {
    reading = loaded.take()
    return .news
  }

  func check(window: Int) -> LiveCheck? {
    guard let version = reading?.version, let statement = try? makeStatement(), !statement.mayDifferByItself else {
      return nil
    }
    return .value(version, tables: [], statement: { statement }, decode: decode)
  }
}
