extension Int {
  /// The window that a result has which an app asked for with so many rows.
  var asWindow: Int { Swift.min(Swift.max(self, 1), SelectStatement.mostRows) }

  /// The window with so many rows more. A negative number adds none.
  func grown(by count: Int) -> Int { (self + Swift.min(Swift.max(count, 0), SelectStatement.mostRows)).asWindow }
}
