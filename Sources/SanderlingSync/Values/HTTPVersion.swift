/// A row's version. If the server writes the row's id differently from the key, also that id: a UUID in upper case,
/// digits with zeros.
///
/// Both are stored as one text, so that the row's address is the one from its server. A row without a version has no
/// place for an id.
struct HTTPVersion: Hashable {
  var version: String?
  var id: String?

  /// No server uses it in an id, because an address can't contain it.
  private static let separator: Character = "\u{1F}"

  init(version: String?, id: String?) {
    (self.version, self.id) = (version, id)
  }

  init(stored: String?) {
    let parts = stored?.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    version = parts?.first
    id = parts.flatMap { $0.count > 1 ? $0[1] : nil }
  }

  var stored: String? {
    guard let version, let id else { return version }
    return "\(version)\(Self.separator)\(id)"
  }

  /// The version inside an ETag.
  static func unquoted(_ tag: String) -> String { tag.filter { $0 != "\"" } }
}
