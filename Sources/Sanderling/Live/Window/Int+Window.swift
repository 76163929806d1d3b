extension Int {
  /// The window for a number of rows that an app asked for.
  var asWindow: Int { Swift.min(Swift.max(self, 1), SelectStatement.mostRows) }

  /// The window with more rows. A negative number adds none.
  func grown(by count: Int) -> Int { (self + Swift.min(Swift.max(count, 0), SelectStatement.mostRows)).asWindow }
}
