/// The case of the 26 ASCII letters, the only letters that SQLite folds in names and by NOCASE.
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
  /// Returns the text with its ASCII letters in one case, and all other characters unchanged.
  package func withASCIICase(_ letterCase: ASCIICase) -> String {
    var text = self
    return text.withUTF8 { bytes in
      // The loop writes every byte of the capacity, so no byte of the text stays uninitialized.
      String(unsafeUninitializedCapacity: bytes.count) { buffer in
        for (index, byte) in bytes.enumerated() {
          buffer[index] = letterCase == .lower ? byte.lowercasedASCII : byte.uppercasedASCII
        }
        return bytes.count
      }
    }
  }

  /// The name in the form in which SQLite compares names: ASCII letters in lower case, all else unchanged.
  package var asciiLowercased: String { withASCIICase(.lower) }

  /// The name with its ASCII letters in upper case, and all else unchanged.
  package var asciiUppercased: String { withASCIICase(.upper) }

  /// Whether both texts have the same bytes, as SQLite compares texts. Swift's `==` finds the composed and the
  /// decomposed "é" equal.
  package func isIdentical(to other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}
