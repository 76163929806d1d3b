@testable import Sanderling

extension TextSearch {
  /// Whether texts that are searched together match. NULL texts match nothing.
  func matches(_ texts: [String?]) -> Bool {
    let matcher = TextMatcher(self)
    var found: [Bool]?
    for case var text? in texts { text.withUTF8 { matcher.add($0, to: &found) } }
    return matches(found: found)
  }
}
