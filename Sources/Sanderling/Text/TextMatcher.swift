/// Matches texts against a search, one after the other. A matcher belongs to one thread at a time.
final class TextMatcher {
  let search: TextSearch
  private let buffer = FoldBuffer()

  init(_ search: TextSearch) {
    self.search = search
  }

  /// Adds the found terms of a text to the found terms of the texts that are searched together with it. The text may
  /// have damaged UTF-8.
  func add(_ text: UnsafeBufferPointer<UInt8>, to found: inout [Bool]?) {
    buffer.fold(text)
    buffer.withFolded { search.add($0, to: &found) }
  }

  /// Whether one text matches. Faster than ``add(_:to:)``, since most texts lack a word.
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    buffer.fold(text)
    return buffer.withFolded { search.matches(folded: $0) }
  }
}
