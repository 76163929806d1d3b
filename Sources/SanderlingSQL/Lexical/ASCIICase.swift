/// The 26 letters of ASCII, which are all that SQLite folds in names and by NOCASE. All other characters stay as they are.
package enum ASCIICase { case lower, upper }

extension UInt8 {
  @inlinable package var lowercasedASCII: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }

  @inlinable package var uppercasedASCII: UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self & 0xDF : self
  }
}

extension String {
  /// The text with its 26 letters of ASCII in one case, and nothing else changed.
  package func withASCIICase(_ letterCase: ASCIICase) -> String {
    var text = self
    return text.withUTF8 { bytes in
      String(unsafeUninitializedCapacity: bytes.count) { buffer in
        for (index, byte) in bytes.enumerated() {
          buffer[index] = letterCase == .lower ? byte.lowercasedASCII : byte.uppercasedASCII
        }
        return bytes.count
      }
    }
  }

  /// The name as SQLite compares names: the 26 letters of ASCII in lower case, all else as it is.
  package var asciiLowercased: String { withASCIICase(.lower) }

  /// The name with the 26 letters of ASCII in upper case, and all else as it is.
  package var asciiUppercased: String { withASCIICase(.upper) }

  /// Whether both have the same bytes. Swift's `==` is canonical equivalence, for which the composed and the decomposed
  /// "é" are equal; SQLite distinguishes them.
  package func isIdentical(to other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}
