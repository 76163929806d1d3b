/// Something that the trial of a declaration found: see ``HTTPAdapter/check()``.
public struct HTTPFinding: Sendable, Hashable, CustomStringConvertible {
  /// The results of the trial.
  public enum Kind: String, Sendable, Hashable {
    /// The server is as declared.
    case confirmed = "ok"
    /// The server has no data that could confirm or contradict the declaration.
    case untried = "untried"
    /// The server isn't as declared: rows or changes would be lost, or the synchronisation would fail.
    case wrong = "wrong"
  }

  /// Whether the server is as declared.
  public let kind: Kind
  /// The name of the record.
  public let record: String
  /// The finding and the remedy. The message names fields, never values.
  public let message: String

  /// The finding on one line.
  public var description: String {
    kind.rawValue + String(repeating: " ", count: 10 - kind.rawValue.count) + "\(record): \(message)"
  }
}
