/// Something that the trial of a declaration found: see ``HTTPAdapter/check()``.
public struct HTTPFinding: Sendable, Hashable, CustomStringConvertible {
  public enum Kind: String, Sendable, Hashable {
    /// The server is as declared.
    case confirmed = "ok"
    /// The server has nothing to tell by whether it is as declared.
    case untried = "untried"
    /// The server isn't as declared: rows or changes would be lost, or the synchronisation would fail.
    case wrong = "wrong"
  }

  public let kind: Kind
  /// The record, by its name.
  public let record: String
  /// What was found, and what to do about it. Names fields, never values.
  public let message: String

  /// One line.
  public var description: String {
    kind.rawValue + String(repeating: " ", count: 10 - kind.rawValue.count) + "\(record): \(message)"
  }
}
