/// The reason why a table's changes can't be captured, as readable text: "its unique index "x" is partial, …".
package struct CaptureObstacle: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
