/// How a query is followed, and the reason.
public struct LiveExplanation: Hashable, Sendable, CustomStringConvertible {
  /// Whether the query is maintained from changes of rows. Otherwise it is rerun after changes of its tables, at most
  /// five times a second. The results are equally exact.
  public let isMaintained: Bool
  /// The reason for reruns; nil when it is maintained.
  public let reason: String?
  /// The tables whose changes the query follows.
  public let tables: [String]

  public var description: String {
    let tables = tables.joined(separator: ", ")
    guard let reason else { return "Maintained from the changes of rows of \(tables)." }
    return "Run again after changes of \(tables), at most five times a second, because \(reason)."
  }
}
