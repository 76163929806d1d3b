import Testing

@testable import Sanderling

/// Different rows have different hashes.
@Suite struct RowHashTests {
  private func hash(_ bytes: [UInt8], tag: UInt8 = 0) -> UInt64 {
    var hash = RowHash()
    bytes.withUnsafeBytes { hash.combine($0, tag: tag) }
    return hash.value
  }

  /// Every byte contributes to the hash, at every length, and so does the length.
  @Test func everyByteCounts() {
    var hashes: Set<UInt64> = []
    var inputs = 0
    for count in 0..<70 {
      let zeros = [UInt8](repeating: 0, count: count)
      hashes.insert(hash(zeros))
      inputs += 1
      for position in 0..<count {
        for value in [1, 128, 255] as [UInt8] {
          var bytes = zeros
          bytes[position] = value
          hashes.insert(hash(bytes))
          inputs += 1
        }
      }
    }
    #expect(hashes.count == inputs)
    #expect(hash([1, 2]) == hash([1, 2]))
    #expect(hash([1, 2], tag: 3) != hash([1, 2], tag: 4))
  }

  @Test func theOrderOfValuesCounts() {
    func hash(_ words: [UInt64]) -> UInt64 {
      var hash = RowHash()
      for word in words { hash.combine(word, 1) }
      return hash.value
    }
    #expect(hash([1, 2]) != hash([2, 1]))
    #expect(hash([0]) != hash([0, 0]))
    #expect(Set((0..<100_000).map { hash([$0]) }).count == 100_000)
  }

  /// Hashes of consecutive keys spread over a table as random numbers do: about 37 of a hundred places stay empty.
  @Test func upperBitsOfHashesSpread() {
    let places = 1 << 14
    var used = Set<UInt32>()
    for number in 0..<places {
      let key = RowKey(integer: Int64(number))
      used.insert(key.withEncoding { RowKey.hash(ofEncoding: $0) } >> (32 - 14))
    }
    #expect(used.count > places * 55 / 100)
  }
}
