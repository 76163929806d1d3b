/// A query that has one value of a type. A class rather than a protocol, since it is asked for at each delivery.
class ValueResult<Value: Sendable>: LiveQuery {
  /// The value, which is nil before it was read, and for the first row of a query that has none; and a number that differs when
  /// the value does.
  var result: (value: Value?, version: UInt64) {
    preconditionFailure("each kind of query has its own value")
  }
}
