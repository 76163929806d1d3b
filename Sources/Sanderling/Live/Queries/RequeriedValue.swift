import GRDB

/// A value that row changes can't maintain. It is read again after a change of any table that it depends on.
final class RequeriedValue<Value: Sendable>: LiveQuery {
  let following: QueryFollowing
  private let source: RerunValue<Value>
  private var content: ValueContent<Value>?
  /// The SELECT of the value, for the audit.
  private var statement: SQLStatement?
  private var loaded = LoadSlot<RerunValue<Value>.Reading>()
  /// The folded names of the followed tables; nil for a value that is read once. Names are only added, so that a source
  /// that reads other tables each time is not read without end.
  private var tables: Set<String>?

  init(_ source: RerunValue<Value>, reason: RequeryReason) {
    following = .runAgain(reason)
    self.source = source
  }

  func content(window: Int) -> ValueContent<Value>? { content }

  func readTables(_ db: Database) throws -> Set<String> {
    let tables = try source.readTables(db).union(tables ?? [])
    self.tables = tables
    return tables
  }

  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void {
    let (source, loaded) = (source, loaded.begin())
    return { db in loaded.put(try source.read(db)) }
  }

  func endLoad(window: Int) -> QueryOutcome {
    guard let reading = loaded.take() else { return .unchanged }
    // A write of the other tables may have passed unnoticed since the load.
    if let tables, let read = reading.tables, !read.isSubset(of: tables) {
      self.tables = tables.union(read)
      return .readsOtherTables
    }
    do {
      let value = try reading.value.get()
      content = ValueContent(value: value, version: reading.version ?? version(of: value))
      statement = reading.statement
      return .news
    } catch {
      return .failed(error)
    }
  }

  /// The version of the shown value if that equals a value. Otherwise a random one, since a consumer also compares the
  /// versions of different queries.
  private func version(of value: Value?) -> UInt64 {
    guard let content, let areEqual = Self.areEqual, areEqual(content.value, value) else {
      return .random(in: .min ... .max)
    }
    return content.version
  }

  func check(window: Int) -> LiveCheck? {
    guard let version = content?.version, let statement, !statement.mayDifferByItself else { return nil }
    let source = source
    return LiveCheck(statement: { statement }, tables: []) { db in
      try source.read(db).version == version ? nil : "it shows another value than the SELECT returns"
    }
  }
}

extension RequeriedValue {
  /// Compares two values; nil if their type is not `Equatable`.
  fileprivate static var areEqual: ((Value?, Value?) -> Bool)? {
    func comparison<Compared: Equatable>(_ type: Compared.Type) -> (Value?, Value?) -> Bool {
      { $0.map { $0 as? Compared } == $1.map { $0 as? Compared } }
    }
    return (Value.self as? any Equatable.Type).map { comparison($0) }
  }
}
