/// What a live result shows, and those who observe it.
///
/// Apart from the result: what is ready for it may hold this, and the result can be let go of. A weak reference to the result would take
/// more memory than it has itself.
class ShownPublication<Published: LivePublication>: ResultObservers, LiveTarget {
  var published: Published
  /// The number of what is shown.
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
