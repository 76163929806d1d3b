extension Int {
  /// The window for a number of rows that an app asked for.
  var asWindow: Int { Swift.min(Swift.max(self, 1), SelectStatement.mostRows) }

  /// The window with more rows. A negative number adds none.
  func grown(by count: Int) -> Int { (self + Swift.min(Swift.max(count, 0), SelectStatement.mostRows)).asWindow }

  /// The reason why a live result can't have this window; nil if it can.
  var windowObstacle: String? {
    self > 0 ? nil : "a window of \(self) rows is too small for a live result: pass a window from 1 on"
  }
}
