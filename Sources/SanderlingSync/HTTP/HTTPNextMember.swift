import Sanderling

/// Finds a member that indicates a next page, in an answer that is declared to be the only one.
///
/// A server that limits its rows would otherwise look like one without further rows, which would then be removed.
enum HTTPNextMember {
  /// Names in lower case, without other characters.
  private static let next: Set<String> = [
    "next", "nextcursor", "nextpage", "nextpagetoken", "nexttoken", "nextlink", "nexturl", "nextoffset", "nextkey",
    "cursor", "continuation", "continuationtoken", "lastevaluatedkey",
  ]
  private static let more: Set<String> = ["hasmore", "hasnext", "hasnextpage", "more", "moreresults", "istruncated"]

  /// - Returns: The path of the member; nil if no member indicates a next page.
  static func name(in members: [String: ForeignValue], _ declaration: HTTPRecord) -> String? {
    if let name = name(in: members, below: "", declaration) { return name }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard case .json(let text) = value, text.hasPrefix("{") else { continue }
      var reader = JSONReader(text)
      if let inner = try? reader.object(), let found = self.name(in: inner, below: name + ".", declaration) {
        return found
      }
    }
    return nil
  }

  private static func name(
    in members: [String: ForeignValue], below prefix: String, _ declaration: HTTPRecord
  ) -> String? {
    var isOther = declaration.ignoredFields
    if case .member(let name)? = declaration.since?.place { isOther.insert(name) }
    let meant = members.filter { !isOther.contains(prefix + $0.key) && !isOther.contains($0.key) }
    // A server with a member for further rows may also give a cursor on the last page.
    if let (name, value) = meant.first(where: { more.contains(plain($0.key)) }) {
      return value.tellsMore ? prefix + name : nil
    }
    return meant.filter { next.contains(plain($0.key)) && $0.value.tellsMore }.keys.min().map { prefix + $0 }
  }

  /// The last part of a name, such as `nextlink` of `@odata.nextLink`.
  private static func plain(_ name: String) -> String {
    (name.split(separator: ".").last.map(String.init) ?? name).lowercased().filter { $0.isLetter }
  }
}

extension ForeignValue {
  /// Whether the value of a next-page member is not empty.
  fileprivate var tellsMore: Bool {
    switch self {
    case .null: false
    case .bool(let bool): bool
    case .text(let text): !text.isEmpty
    case .json(let text): text != "{}" && text != "[]"
    default: true
    }
  }
}
