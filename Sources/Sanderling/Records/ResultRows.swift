/// The rows of a statement that runs, one after the other.
public struct ResultRows {
  let source: any ResultRowSource
  /// How many rows there were the last time, or 0.
  public let expectedCount: Int

  /// Calls `body` with each row, which is valid during the call only.
  public func forEach(_ body: (ResultRow) throws -> Void) throws {
    try source.forEachRow(body)
  }

  /// The results of `body` for all rows.
  func map<Value>(_ body: (ResultRow) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(expectedCount)
    try forEach { values.append(try body($0)) }
    return values
  }
}

@available(*, unavailable)
extension ResultRows: Sendable {}

/// A source of a statement's rows, one after the other.
protocol ResultRowSource: AnyObject {
  /// Steps through all rows.
  func forEachRow(_ body: (ResultRow) throws -> Void) throws
}
