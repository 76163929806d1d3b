@testable import Sanderling

extension TextSearch {
  /// Whether texts match that are searched together, of which those that are NULL match nothing.
  func matches(_ texts: [String?]) -> Bool {
    let matcher = TextMatcher(self)
    var found: [Bool]?
    for case var text? in texts { text.withUTF8 { matcher.add($0, to: &found) } }
    return matches(found: found)
  }
}
