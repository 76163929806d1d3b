/// Decides for texts whether they match a search, one after the other. It belongs to one thread at a time.
final class TextMatcher {
  let search: TextSearch
  private let buffer = FoldBuffer()
  private var found: [Bool] = []

  init(_ search: TextSearch) {
    self.search = search
  }

  /// Begins the next texts that are searched together.
  func begin() {
    found = []
  }

  /// Adds one of them, which may be damaged UTF-8.
  func add(_ text: UnsafeBufferPointer<UInt8>) {
    buffer.fold(text)
    let parts = buffer.withFolded { search.found(inFolded: $0) }
    if found.isEmpty { found = parts } else { for index in parts.indices where parts[index] { found[index] = true } }
  }

  /// Whether those that were added match together. Where there are none, nothing does.
  var matches: Bool { !found.isEmpty && search.matches(found: found) }

  /// Whether one text matches. Faster than adding it, since most texts lack a word.
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    buffer.fold(text)
    return buffer.withFolded { search.matches(folded: $0) }
  }
}
