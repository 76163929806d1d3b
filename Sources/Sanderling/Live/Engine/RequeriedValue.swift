import GRDB

/// A value that row changes can't maintain: it is read again after a change of any table that it depends on.
final class RequeriedValue<Value: Sendable>: ValueResult<Value> {
  private let makeStatement: @Sendable () throws -> SQLStatement
  private let decode: @Sendable (ResultRow) throws -> Value
  private var value: Value?
  private var version: UInt64 = 0

  override var result: (value: Value?, version: UInt64) { (value, version) }

  init(
    _ statement: SelectStatement, key: AnyHashable, number: Int, _ reason: RequeryReason,
    decode: @escaping @Sendable (ResultRow) throws -> Value
  ) {
    makeStatement = { try SQLCompiler.compile(statement) }
    self.decode = decode
    super.init(key: key, number: number, route: nil, requeryReason: reason)
  }

  init(countOf statement: SelectStatement, key: AnyHashable, number: Int, _ reason: RequeryReason) where Value == Int {
    makeStatement = { try statement.countStatement }
    decode = { Int(try $0.integer(at: 0, for: Int.self)) }
    super.init(key: key, number: number, route: nil, requeryReason: reason)
  }

  override func readTables(_ db: Database) throws -> Set<String> {
    try db.tables(readBy: makeStatement())
  }

  override func makeLoad() -> LiveLoad {
    let (makeStatement, decode, number) = (makeStatement, decode, number)
    return LiveLoad(query: number) { db in
      let (value, version) = try db.value(of: makeStatement(), decode)
      return { core in
        guard let query = core.query(number) as? RequeriedValue else { return }
        query.value = value
        query.version = version
      }
    }
  }
}
