/// The rows of a running statement, one after the other.
public struct ResultRows {
  let source: any ResultRowSource
  /// An estimate of the number of rows, for reserving memory; 0 if it is unknown.
  public let expectedCount: Int

  /// Calls `body` with each row, which is valid only during the call.
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
