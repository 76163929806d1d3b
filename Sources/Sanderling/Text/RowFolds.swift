/// The folds of the texts of many rows, in one piece of memory, for repeated searches.
struct RowFolds: Sendable {
  /// The number of texts of each row.
  let textCount: Int
  private(set) var rowCount = 0
  /// The folds. A NUL follows each, so that no word continues in the next fold.
  private var bytes: [UInt8] = []
  /// The end of each fold in the bytes. For NULL, -1 minus the end of the bytes at that time.
  private var ends: [Int] = []
  /// The places of the words in the folds, if words are searched.
  private var borders: WordBorders?

  init(textCount: Int) {
    self.textCount = textCount
  }

  /// The number of bytes of all folds.
  var byteCount: Int { bytes.count }

  /// Appends the next text of a row; nil for NULL.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>?, _ buffer: FoldBuffer) {
    if let text {
      buffer.fold(text)
      buffer.withFolded { bytes.append(contentsOf: $0) }
      ends.append(bytes.count)
      bytes.append(0)
    } else {
      ends.append(-1 - bytes.count)
    }
    rowCount = ends.count / textCount
  }

  /// Ends the row folds after the last text, and finds their words if words are searched. O(bytes).
  mutating func finish(for kind: SearchKind) {
    // Exact copies free the unused capacity. An array of a full slice would keep the slice's buffer.
    bytes = bytes.withUnsafeBufferPointer { Array($0) }
    ends = ends.withUnsafeBufferPointer { Array($0) }
    guard kind == .words else { return }
    var borders = WordBorders(byteCount: bytes.count)
    bytes.withUnsafeBufferPointer { bytes in
      FoldTables.withPointers { tables in
        guard let address = bytes.baseAddress else { return }
        for segment in WordSegments(address, 0..<bytes.count, tables) { borders.insert(segment.range) }
      }
    }
    self.borders = borders
  }

  /// The numbers of the rows whose texts match, ascending; nil if the task was cancelled. O(bytes).
  func rows(matching search: TextSearch) -> [Int]? {
    bytes.withUnsafeBufferPointer { bytes in
      ends.withUnsafeBufferPointer { ends in
        if let borders, search.kind == .words, let terms = PlacedTerms(search) {
          return terms.withScan(bytes, borders) { scan in rows(ends) { _, range in scan.matches(range) } }
        }
        return rows(ends) { row, range in matches(search, row, range, bytes, ends) }
      }
    }
  }

  /// The numbers of the rows with a text that match by the closure. The closure receives the number and the range of
  /// the row's folds.
  @inline(__always)
  private func rows(_ ends: UnsafeBufferPointer<Int>, _ matches: (Int, Range<Int>) -> Bool) -> [Int]? {
    var rows: [Int] = []
    var start = 0
    for row in 0..<rowCount {
      if row & 0x3FF == 0x3FF, Task.isCancelled { return nil }
      let next = Self.start(after: ends[(row + 1) * textCount - 1])
      // A row with a text has at least the NUL after it.
      if next > start, matches(row, start..<next) { rows.append(row) }
      start = next
    }
    return rows
  }

  /// The beginning of the next text after a text's stored end.
  private static func start(after end: Int) -> Int { end < 0 ? -1 - end : end + 1 }

  private func matches(
    _ search: TextSearch, _ row: Int, _ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>,
    _ ends: UnsafeBufferPointer<Int>
  ) -> Bool {
    // Most rows lack a word in all of their texts.
    guard search.mayMatch(folded: UnsafeBufferPointer(rebasing: bytes[range])) else { return false }
    if textCount == 1 { return search.matches(folded: UnsafeBufferPointer(rebasing: bytes[range.dropLast()])) }
    var found: [Bool]?
    var start = range.lowerBound
    for index in row * textCount..<(row + 1) * textCount {
      defer { start = Self.start(after: ends[index]) }
      guard ends[index] >= 0 else { continue }
      search.add(UnsafeBufferPointer(rebasing: bytes[start..<ends[index]]), to: &found)
    }
    return search.matches(found: found)
  }
}

/// The beginnings and ends of words, as one bit for each byte of the texts.
struct WordBorders: Sendable {
  private var starts: [UInt64]
  private var ends: [UInt64]

  init(byteCount: Int) {
    starts = Array(repeating: 0, count: byteCount / 64 + 1)
    ends = starts
  }

  mutating func insert(_ range: Range<Int>) {
    starts[range.lowerBound >> 6] |= 1 << UInt64(range.lowerBound & 63)
    ends[range.upperBound >> 6] |= 1 << UInt64(range.upperBound & 63)
  }

  @inline(__always)
  func begins(at offset: Int) -> Bool { starts[offset >> 6] & 1 << UInt64(offset & 63) != 0 }

  @inline(__always)
  func ends(at offset: Int) -> Bool { ends[offset >> 6] & 1 << UInt64(offset & 63) != 0 }
}

/// The terms of a search of single words. They are searched by their bytes in texts whose words are known.
///
/// It finds the same texts as `TextSearch.matches(folded:)`, as the tests check.
private struct PlacedTerms {
  private let terms: [Term]
  private let bytes: [UInt8]

  struct Term {
    let range: Range<Int>
    let isRun: Bool
    let isPrefix: Bool
    let isExcluded: Bool
  }

  /// Creates the terms of a search; nil if a term has several words side by side.
  init?(_ search: TextSearch) {
    var terms: [Term] = []
    var bytes: [UInt8] = []
    for term in search.terms {
      guard term.segments.count == 1, let segment = term.segments.first else { return nil }
      let range = bytes.count..<bytes.count + segment.bytes.count
      bytes += segment.bytes
      terms.append(
        Term(range: range, isRun: segment.isRun, isPrefix: term.endsWithPrefix, isExcluded: term.isExcluded))
    }
    // The longest terms come first, since they are the rarest, and most rows lack one of them.
    self.terms = terms.sorted { ($0.isExcluded ? 1 : 0, -$0.range.count) < ($1.isExcluded ? 1 : 0, -$1.range.count) }
    self.bytes = bytes
  }

  func withScan<Result>(
    _ texts: UnsafeBufferPointer<UInt8>, _ borders: WordBorders, _ body: (Scan) -> Result
  ) -> Result {
    FoldTables.withPointers { tables in
      terms.withUnsafeBufferPointer { terms in
        bytes.withUnsafeBufferPointer { bytes in
          body(Scan(texts: texts, borders: borders, terms: terms, bytes: bytes, tables: tables))
        }
      }
    }
  }

  struct Scan {
    let texts: UnsafeBufferPointer<UInt8>
    let borders: WordBorders
    let terms: UnsafeBufferPointer<Term>
    let bytes: UnsafeBufferPointer<UInt8>
    let tables: FoldTablePointers

    /// Whether the texts of a row have all terms, and none of the excluded ones.
    @inline(__always)
    func matches(_ range: Range<Int>) -> Bool {
      for term in terms where has(term, range) == term.isExcluded { return false }
      return true
    }

    private func has(_ term: Term, _ range: Range<Int>) -> Bool {
      guard let text = texts.baseAddress, let wanted = bytes.baseAddress.map({ $0 + term.range.lowerBound }) else {
        return false
      }
      let last = term.range.count - 1
      let byte = wanted[last]
      // The search compares the last byte first. It distinguishes better than the first, which letters of one script
      // share.
      var end = range.lowerBound + last
      while end < range.upperBound {
        if text[end] == byte {
          var length = 0
          while length < last, text[end - last + length] == wanted[length] { length += 1 }
          if length == last, isPlaced(term, end - last..<end + 1, in: range) { return true }
        }
        end += 1
      }
      return false
    }

    private func isPlaced(_ term: Term, _ found: Range<Int>, in range: Range<Int>) -> Bool {
      if term.isRun {
        // A run is found anywhere among such letters, unless a mark of its last letter follows. The NUL at the end is
        // no mark.
        if texts[found.upperBound] < 0x80 { return true }
        return TextSearch.mayEnd(
          UnsafeBufferPointer(rebasing: texts[range]), at: found.upperBound - range.lowerBound, tables)
      }
      guard borders.begins(at: found.lowerBound) else { return false }
      guard term.isPrefix else { return borders.ends(at: found.upperBound) }
      // All other bytes of a term belong to the word wherever they follow its beginning. The + of `c+` doesn't belong
      // to the word in `c+d`.
      let last = texts[found.upperBound - 1]
      guard last == UInt8(ascii: "+") || last == UInt8(ascii: "#") else { return true }
      return !found.dropFirst().contains { borders.ends(at: $0) }
    }
  }
}
