/// A name in the form in which SQLite compares names: ASCII letters without case, all else byte by byte.
///
/// Swift's own comparison is canonical equivalence, which can find two different SQL names equal.
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
