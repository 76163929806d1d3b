/// The place up to which a file was read, and the hash that identifies the file.
struct FileCursor: Hashable, Sendable {
  /// The place in bytes from the beginning of the file.
  var offset: Int
  /// The number of the line at this place, from 1.
  var line: Int
  /// The hash of the bytes before.
  var hash: UInt64
  /// Whether the cursor is inside a load that finally removes rows missing from the file: another load can't continue
  /// from there.
  var isInComparison: Bool

  init(offset: Int, line: Int, hash: UInt64, isInComparison: Bool = false) {
    self.offset = offset
    self.line = line
    self.hash = hash
    self.isInComparison = isInComparison
  }

  /// - Returns: Nil for a text that is no cursor.
  init?(_ text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 3 || parts.count == 4 && parts[3] == Self.comparison, let offset = Int(parts[0]),
      let line = Int(parts[1]),
      let hash = UInt64(parts[2], radix: 16),
      offset >= 0
    else { return nil }
    self.init(offset: offset, line: line, hash: hash, isInComparison: parts.count == 4)
    // The parser accepts signs and leading zeros that are never written.
    if self.text != text { return nil }
  }

  var text: String { "\(offset):\(line):\(String(hash, radix: 16))\(isInComparison ? ":\(Self.comparison)" : "")" }

  private static let comparison = "complete"
}
