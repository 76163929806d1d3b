/// Decides for texts whether they match a search, one after the other. It belongs to one thread at a time.
final class TextMatcher {
  let search: TextSearch
  private let buffer = FoldBuffer()
  /// The parts of the search that the texts have; nil as long as there is none.
  private var found: [Bool]?

  init(_ search: TextSearch) {
    self.search = search
  }

  /// Begins the next texts that are searched together.
  func begin() {
    found = nil
  }

  /// Adds one of them, which may be damaged UTF-8.
  func add(_ text: UnsafeBufferPointer<UInt8>) {
    buffer.fold(text)
    let parts = buffer.withFolded { search.found(inFolded: $0) }
    found = found.map { zip($0, parts).map { $0 || $1 } } ?? parts
  }

  /// Whether those that were added match together. Where there are none, nothing does.
  var matches: Bool { found.map(search.matches) ?? false }

  /// Whether one text matches. Faster than adding it, since most texts lack a word.
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    buffer.fold(text)
    return buffer.withFolded { search.matches(folded: $0) }
  }
}
