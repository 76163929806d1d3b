/// A position in a history: after a change, or before all changes.
///
/// Its text can be stored anywhere, for example in the defaults of the app.
public struct ChangeToken: Hashable, Sendable, LosslessStringConvertible {
  let history: String
  package let position: Int64

  init(history: String, position: Int64) {
    (self.history, self.position) = (history, position)
  }

  /// Reads a token from its text.
  ///
  /// - Returns: Nil if the text is no token.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let position = Int64(parts[1]), position >= 0 else { return nil }
    self.init(history: String(parts[0]), position: position)
  }

  /// The text of the token.
  public var description: String { "\(history)-\(position)" }
}

extension ChangeToken: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let token = ChangeToken(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is no token of a history")
    }
    self = token
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
