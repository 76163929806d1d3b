/// The content of a live result, and its observers.
///
/// It is separate from the result, so that pending deliveries can hold the content while the result is released. A weak
/// reference to the result would take more memory than the result itself.
class ShownPublication<Published: LivePublication>: ResultObservers, LiveTarget {
  var published: Published
  /// The number of the content.
  private(set) var number: UInt64 = 0

  init(_ published: Published) {
    self.published = published
  }

  func take(_ newest: Published, number: UInt64) {
    guard number > self.number else { return }
    self.number = number
    replace(with: newest)
  }

  /// Shows something else.
  func replace(with newest: Published) {
    changeContent { published = newest }
  }
}
