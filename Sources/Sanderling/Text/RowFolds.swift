/// The folds of the texts of many rows, in one piece of memory, to search them again and again.
struct RowFolds: Sendable {
  /// How many texts each row has.
  let textCount: Int
  private(set) var rowCount = 0
  /// The folds, each with a NUL behind it, so that no word goes from one to the next.
  private var bytes: [UInt8] = []
  /// Where each text ends; negative for NULL, less one.
  private var ends: [Int] = []
  /// Where the words of the texts are, if they are searched.
  private var borders: WordBorders?

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
      bytes.append(0)
    } else {
      ends.append(-1 - bytes.count)
    }
    rowCount = ends.count / textCount
  }

  /// Ends with the last text: gives back what the texts don't take, and looks for their words if these are searched. O(bytes).
  mutating func finish(for kind: SearchKind) {
    bytes = Array(bytes[...])
    ends = Array(ends[...])
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

  /// The numbers of the rows whose texts match, ascending. O(bytes).
  ///
  /// - Returns: `nil` when the task was cancelled.
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

  /// The rows that the body says match, of those that have a text. It gets the number of a row, and where its texts are.
  @inline(__always)
  private func rows(_ ends: UnsafeBufferPointer<Int>, _ matches: (Int, Range<Int>) -> Bool) -> [Int]? {
    var rows: [Int] = []
    var start = 0
    for row in 0..<rowCount {
      if row & 0x3FF == 0x3FF, Task.isCancelled { return nil }
      let next = Self.start(after: ends[(row + 1) * textCount - 1])
      // A text has its NUL.
      if next > start, matches(row, start..<next) { rows.append(row) }
      start = next
    }
    return rows
  }

  /// Where the next text begins.
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

/// Where words begin and end, a bit for each byte of their texts.
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

/// The terms of a search of single words, which are looked for by their bytes in texts whose words are known. It finds what
/// `TextSearch.matches(folded:)` does, and the tests compare them.
private struct PlacedTerms {
  private let terms: [Term]
  private let bytes: [UInt8]

  struct Term {
    let range: Range<Int>
    let isRun: Bool
    let isPrefix: Bool
    let isExcluded: Bool
  }

  /// `nil` for a search with words side by side.
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
    // The longest are the rarest, and most rows lack one.
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

    /// Whether the texts of a row have all terms but the excluded ones.
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
      // A term's last byte tells more than its first: letters of one script have their first byte in common.
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
        // Anywhere among its letters, as long as no mark of the last one follows. The NUL before is no letter.
        if texts[found.upperBound] < 0x80 { return true }
        return TextSearch.mayEnd(
          UnsafeBufferPointer(rebasing: texts[range]), at: found.upperBound - range.lowerBound, tables)
      }
      guard borders.begins(at: found.lowerBound) else { return false }
      guard term.isPrefix else { return borders.ends(at: found.upperBound) }
      // The + of `c+` is no part of the word in `c+d`. All other bytes of a term belong to the word wherever they follow its beginning.
      let last = texts[found.upperBound - 1]
      guard last == UInt8(ascii: "+") || last == UInt8(ascii: "#") else { return true }
      return !found.dropFirst().contains { borders.ends(at: $0) }
    }
  }
}
