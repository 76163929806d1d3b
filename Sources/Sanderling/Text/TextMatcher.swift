/// Decides for texts whether they match a search, one after the other. It belongs to one thread at a time.
final class TextMatcher {
  let search: TextSearch
  private let buffer = FoldBuffer()

  init(_ search: TextSearch) {
    self.search = search
  }

  /// Adds the found terms of a text, which may have damaged UTF-8, to those of the texts searched together with it.
  func add(_ text: UnsafeBufferPointer<UInt8>, to found: inout [Bool]?) {
    buffer.fold(text)
    buffer.withFolded { search.add($0, to: &found) }
  }

  /// Whether one text matches. Faster than adding it, since most texts lack a word.
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    buffer.fold(text)
    return buffer.withFolded { search.matches(folded: $0) }
  }
}
