/// How far a history was read: all commits that lead to one, and the newest of those that came since.
struct GitHistoryCursor: Hashable {
  /// The commit that was read with all that lead to it; nil before.
  var base: String?
  /// The commit up to which it is being read; nil where nothing is.
  var head: String?
  /// How many of the commits between the two were read, newest first.
  var done = 0
  /// Of a shallow clone, where it ends: see ``GitRepository/shallowEnd()``.
  var shallowEnd: String?

  init(base: String? = nil, head: String? = nil, done: Int = 0, shallowEnd: String? = nil) {
    (self.base, self.head, self.done, self.shallowEnd) = (base, head, done, shallowEnd)
  }

  /// - Returns: nil for a text that is none.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    func isHash(_ text: String) -> Bool { text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) } }
    guard [3, 4].contains(parts.count), isHash(parts[0]), isHash(parts[1]), let done = Int(parts[2]), done >= 0
    else { return nil }
    self.init(
      base: parts[0].isEmpty ? nil : parts[0], head: parts[1].isEmpty ? nil : parts[1], done: done,
      shallowEnd: parts.count == 4 ? parts[3] : nil)
  }

  var text: String { "\(base ?? ""):\(head ?? ""):\(done)\(shallowEnd.map { ":\($0)" } ?? "")" }
}
