/// A value that can't be stored, or a stored value without the requested type.
public struct ValueError: Error, Hashable, Sendable {
  /// The reason, without the value itself.
  public let message: String
  /// The column that was read, by its name in the result.
  public internal(set) var column: String?
  /// The values of the row's columns, for the message of an error. An error may name only values of the key; other
  /// values are nil.
  var keyValues: [String?] = []

  /// Creates an error with its reason, which must not contain the value.
  public init(_ message: String) {
    self.message = message
  }

  /// The error for an integer that no value of a type equals, such as a large one for `Double`.
  static func inexact(_ type: Any.Type) -> ValueError {
    ValueError("a \(type) can't hold the integer exactly")
  }

  @usableFromInline
  static func mismatch(expected type: Any.Type, found storageClass: String) -> ValueError {
    ValueError("expected a value of type \(type), found \(storageClass == "null" ? "NULL" : storageClass)")
  }
}
