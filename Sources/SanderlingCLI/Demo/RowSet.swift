/// A set of row numbers, one bit each: a million commits take 125 kB.
struct RowSet: Sendable {
  private var words: [UInt64] = []
  private(set) var count = 0

  mutating func insert(_ row: Int64) {
    precondition(row >= 0, "row numbers that SQLite assigns are positive")
    let index = Int(row / 64)
    if index >= words.count { words.append(contentsOf: repeatElement(0, count: index + 1 - words.count)) }
    let bit: UInt64 = 1 << UInt64(row % 64)
    if words[index] & bit == 0 { count += 1 }
    words[index] |= bit
  }

  func contains(_ row: Int64) -> Bool {
    let index = Int(row / 64)
    return row >= 0 && index < words.count && words[index] & (1 << UInt64(row % 64)) != 0
  }
}
