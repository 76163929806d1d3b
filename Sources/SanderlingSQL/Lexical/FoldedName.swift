/// A name as SQLite compares names: the 26 letters of ASCII without case, all else byte by byte.
///
/// Swift's own comparison of strings is by canonical equivalence, in which two names of SQL can be one.
package struct FoldedName: Hashable, Sendable {
  private let bytes: [UInt8]

  package init(_ name: String) {
    bytes = name.utf8.map(\.lowercasedASCII)
  }

  /// The name with its ASCII letters in lower case.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package func hasPrefix(_ prefix: String) -> Bool {
    bytes.starts(with: prefix.utf8)
  }
}

extension String {
  package var folded: FoldedName { FoldedName(self) }
}

extension [String] {
  package var folded: [FoldedName] { map(\.folded) }

  /// The names as a list of SQL identifiers.
  package var quotedIdentifiers: String {
    map(\.quotedIdentifier).joined(separator: ", ")
  }
}
