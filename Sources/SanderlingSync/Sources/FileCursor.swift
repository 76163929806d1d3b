/// How far a file was read, and what tells it from others.
struct FileCursor: Hashable, Sendable {
  /// In bytes.
  var offset: Int
  /// The number of the line there, from 1.
  var line: Int
  /// Of the bytes before.
  var hash: UInt64

  init(offset: Int, line: Int, hash: UInt64) {
    self.offset = offset
    self.line = line
    self.hash = hash
  }

  /// - Returns: nil for a text that is none.
  init?(_ text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 3, let offset = Int(parts[0]), let line = Int(parts[1]),
      let hash = UInt64(parts[2], radix: 16),
      offset >= 0
    else { return nil }
    self.init(offset: offset, line: line, hash: hash)
  }

  var text: String { "\(offset):\(line):\(String(hash, radix: 16))" }
}
