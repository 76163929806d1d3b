/// A name as SQLite compares names: the 26 letters of ASCII without case, all else byte by byte.
///
/// Swift's own comparison of strings is by canonical equivalence, in which two names of SQL can be one.
struct FoldedName: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ name: String) {
    bytes = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
  }

  func hasPrefix(_ prefix: String) -> Bool {
    bytes.starts(with: prefix.utf8)
  }
}

extension String {
  var folded: FoldedName { FoldedName(self) }

  /// Whether both are the same bytes.
  func isIdentical(to other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}

extension [String] {
  var folded: [FoldedName] { map(\.folded) }

  /// The names as a list of SQL identifiers.
  var quotedIdentifiers: String {
    map(\.quotedIdentifier).joined(separator: ", ")
  }
}
