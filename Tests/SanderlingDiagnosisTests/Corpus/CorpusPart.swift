/// One of several parts of the corpus. The part of a schema depends only on the hash of its name, so a new schema moves
/// no other schema.
struct CorpusPart {
  private let number: UInt64
  private let count: UInt64

  /// - Parameter text: The number of the part and the count of parts: `"1/6"`.
  init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1], count > 0, 1...count ~= number else {
      return nil
    }
    (self.number, self.count) = (number, count)
  }

  func contains(_ name: String) -> Bool { Self.hash(name) % count == number - 1 }

  /// The FNV-1a hash of a text.
  static func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
