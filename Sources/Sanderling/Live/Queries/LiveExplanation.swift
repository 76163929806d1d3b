/// How a query is followed, and why so.
public struct LiveExplanation: Hashable, Sendable, CustomStringConvertible {
  /// Whether changes of rows maintain it. Otherwise it is run again after changes of its tables, at most five times a
  /// second; the results are as exact.
  public let isMaintained: Bool
  /// Why it is run again; nil when it is maintained.
  public let reason: String?
  /// The tables whose changes it follows.
  public let tables: [String]

  public var description: String {
    let tables = tables.joined(separator: ", ")
    guard let reason else { return "Maintained from the changes of rows of \(tables)." }
    return "Run again after changes of \(tables), at most five times a second, because \(reason)."
  }
}
