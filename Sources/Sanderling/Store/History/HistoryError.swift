import Foundation

/// The reason why a history can't be kept or read.
public enum HistoryError: Error, Hashable, Sendable {
  /// The changes of a table can't be kept.
  case unsuitable(table: String, reason: String)
  /// Changes after the token were pruned. Read the rows themselves, and continue with ``Store/historyToken()``.
  case pruned(HistoryToken)
  /// The token is of another database, or of this one before it was erased. Read the rows themselves, and continue with
  /// ``Store/historyToken()``.
  case otherHistory(HistoryToken)
  /// No record of the store declares a ``ChangeHistory``, or the database is read-only and has none.
  case notKept
}

extension HistoryError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .unsuitable(let table, let reason):
      "The changes of the table \(table) can't be kept: \(reason). Leave changeHistory out of its record, or change the table."
    case .pruned(let token):
      "Changes after the token \(token) were pruned. Read the rows themselves, and continue with historyToken()."
    case .otherHistory(let token):
      "The token \(token) is of another history: the database was erased, or is another one. Read the rows themselves, and continue with historyToken()."
    case .notKept:
      "This database has no history. Declare `static let changeHistory` in a record of the store."
    }
  }
}

/// A position in a history: after a change, or before all changes.
///
/// Its text can be stored anywhere, for example in the defaults of the app.
public struct HistoryToken: Hashable, Sendable, LosslessStringConvertible {
  let history: String
  let position: Int64

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

extension HistoryToken: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let token = HistoryToken(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is no token of a history")
    }
    self = token
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
