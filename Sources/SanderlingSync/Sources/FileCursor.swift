/// How far a file was read, and what tells it from others.
struct FileCursor: Hashable, Sendable {
  /// In bytes.
  var offset: Int
  /// The number of the line there, from 1.
  var line: Int
  /// Of the bytes before.
  var hash: UInt64
  /// Whether it is within a load that removes in the end what the file doesn't have: another load can't go on from there.
  var isInComparison: Bool

  init(offset: Int, line: Int, hash: UInt64, isInComparison: Bool = false) {
    self.offset = offset
    self.line = line
    self.hash = hash
    self.isInComparison = isInComparison
  }

  /// - Returns: nil for a text that is none.
  init?(_ text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 3 || parts.count == 4 && parts[3] == Self.comparison, let offset = Int(parts[0]),
      let line = Int(parts[1]),
      let hash = UInt64(parts[2], radix: 16),
      offset >= 0
    else { return nil }
    self.init(offset: offset, line: line, hash: hash, isInComparison: parts.count == 4)
    // Parsing takes signs and zeros that are never written.
    if self.text != text { return nil }
  }

  var text: String { "\(offset):\(line):\(String(hash, radix: 16))\(isInComparison ? ":\(Self.comparison)" : "")" }

  private static let comparison = "complete"
}
