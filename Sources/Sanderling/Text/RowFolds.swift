/// The folds of the texts of many rows, in one piece of memory, to search them again and again.
struct RowFolds: Sendable {
  /// How many texts each row has.
  let textCount: Int
  private(set) var rowCount = 0
  private var bytes: [UInt8] = []
  /// Where each text ends; negative for NULL, less one.
  private var ends: [Int] = []

  init(textCount: Int) {
    self.textCount = textCount
  }

  /// In bytes of UTF-8.
  var byteCount: Int { bytes.count }

  /// Adds the next text of a row.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>?, _ buffer: FoldBuffer) {
    if let text {
      buffer.fold(text)
      buffer.withFolded { bytes.append(contentsOf: $0) }
      ends.append(bytes.count)
    } else {
      ends.append(-1 - bytes.count)
    }
    rowCount = ends.count / textCount
  }

  /// Gives back what the texts don't take.
  mutating func shrink() {
    bytes = Array(bytes[...])
    ends = Array(ends[...])
  }

  /// The numbers of the rows whose texts match, ascending. O(bytes).
  ///
  /// - Returns: `nil` when the task was cancelled.
  func rows(matching search: TextSearch) -> [Int]? {
    bytes.withUnsafeBufferPointer { bytes in
      ends.withUnsafeBufferPointer { ends in
        var rows: [Int] = []
        var start = 0
        for row in 0..<rowCount {
          if row & 0x3FF == 0x3FF, Task.isCancelled { return nil }
          let isFound =
            textCount == 1 ? search.hasMatch(bytes, start, ends[row]) : matches(search, row, start, bytes, ends)
          if isFound { rows.append(row) }
          start = Self.offset(ends[(row + 1) * textCount - 1])
        }
        return rows
      }
    }
  }

  private static func offset(_ end: Int) -> Int { end < 0 ? -1 - end : end }

  private func matches(
    _ search: TextSearch, _ row: Int, _ start: Int, _ bytes: UnsafeBufferPointer<UInt8>,
    _ ends: UnsafeBufferPointer<Int>
  ) -> Bool {
    let range = row * textCount..<(row + 1) * textCount
    // Most rows lack a word in all of their texts, which are side by side.
    let all = UnsafeBufferPointer(rebasing: bytes[start..<Self.offset(ends[range.upperBound - 1])])
    guard search.mayMatch(folded: all) else { return false }
    var found: [Bool]?
    var start = start
    for index in range {
      defer { start = Self.offset(ends[index]) }
      guard ends[index] >= 0 else { continue }
      let parts = search.found(inFolded: UnsafeBufferPointer(rebasing: bytes[start..<ends[index]]))
      found = found.map { zip($0, parts).map { $0 || $1 } } ?? parts
    }
    return found.map(search.matches(found:)) ?? false
  }
}

extension TextSearch {
  /// Whether one text of many matches, which is NULL where its end is negative.
  @inline(__always)
  fileprivate func hasMatch(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
    end >= 0 && matches(folded: UnsafeBufferPointer(rebasing: bytes[start..<end]))
  }
}
