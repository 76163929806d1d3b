/// A row's version, and the row's own id where the server writes it otherwise than the key does: a UUID in upper case, digits with zeros.
///
/// Both are stored as one text, so that the address of a row is the one that its server gave. A row without a version
/// has no place for an id.
struct HTTPVersion: Hashable {
  var version: String?
  var id: String?

  /// No server sends it in an id: it has no place in an address.
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

  /// The version that an ETag has.
  static func unquoted(_ tag: String) -> String { tag.filter { $0 != "\"" } }
}
