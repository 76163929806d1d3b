/// The shown value of a live result, and its observers.
///
/// A separate object from the result: a delivery that waits may hold it, while the result can be released. A weak
/// reference to the result would need more memory than the result itself.
class ShownPublication<Published: LivePublication>: ResultObservers, LiveTarget {
  var published: Published
  /// The number of the shown value.
  private(set) var number: UInt64 = 0

  init(_ published: Published) {
    self.published = published
  }

  func take(_ newest: Published, number: UInt64) {
    guard number > self.number else { return }
    self.number = number
    replace(with: newest)
  }

  /// Shows another value, and notifies the observers.
  func replace(with newest: Published) {
    changeContent { published = newest }
  }
}
