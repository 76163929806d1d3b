/// Reads and writes UTF-8. Damaged UTF-8 is read as Swift's `String(decoding:as:)` repairs it.
enum UTF8Scalars {
  /// Reads the scalar at an index before the end, and moves the index after the scalar.
  ///
  /// Each maximal part of an invalid sequence is read as U+FFFD: The Unicode Standard, section 3.9, "U+FFFD
  /// Substitution of Maximal Subparts".
  @inline(__always)
  static func next(_ bytes: UnsafePointer<UInt8>, _ index: inout Int, end: Int) -> UInt32 {
    let first = bytes[index]
    if first < 0x80 {
      index += 1
      return UInt32(first)
    }
    if first >= 0xE1, first <= 0xEC, index + 2 < end {
      let second = bytes[index + 1]
      let third = bytes[index + 2]
      if second & 0xC0 == 0x80, third & 0xC0 == 0x80 {
        index += 3
        return UInt32(first & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F)
      }
    } else if first >= 0xC2, first <= 0xDF, index + 1 < end {
      let second = bytes[index + 1]
      if second & 0xC0 == 0x80 {
        index += 2
        return UInt32(first & 0x1F) << 6 | UInt32(second & 0x3F)
      }
    }
    return rare(bytes, &index, end: end)
  }

  @inline(never)
  private static func rare(_ bytes: UnsafePointer<UInt8>, _ index: inout Int, end: Int) -> UInt32 {
    let first = bytes[index]
    index += 1
    let count: Int
    var range: ClosedRange<UInt8> = 0x80...0xBF
    var scalar: UInt32
    switch first {
    case 0xC2...0xDF: (count, scalar) = (1, UInt32(first & 0x1F))
    case 0xE0...0xEF:
      (count, scalar) = (2, UInt32(first & 0x0F))
      if first == 0xE0 { range = 0xA0...0xBF } else if first == 0xED { range = 0x80...0x9F }
    case 0xF0...0xF4:
      (count, scalar) = (3, UInt32(first & 0x07))
      if first == 0xF0 { range = 0x90...0xBF } else if first == 0xF4 { range = 0x80...0x8F }
    default: return 0xFFFD
    }
    for _ in 0..<count {
      guard index < end, range.contains(bytes[index]) else { return 0xFFFD }
      scalar = scalar << 6 | UInt32(bytes[index] & 0x3F)
      index += 1
      range = 0x80...0xBF
    }
    return scalar
  }

  /// The beginning of the scalar that ends at an index. The index is greater than 0, and the UTF-8 is valid.
  @inline(__always)
  static func start(of bytes: UnsafePointer<UInt8>, before end: Int) -> Int {
    var index = end - 1
    while index > 0, bytes[index] & 0xC0 == 0x80 { index -= 1 }
    return index
  }

  /// Writes a scalar and returns its number of bytes. The memory must have room for four.
  @inline(__always)
  static func write(_ scalar: UInt32, to bytes: UnsafeMutablePointer<UInt8>) -> Int {
    switch scalar {
    case 0..<0x80:
      bytes[0] = UInt8(truncatingIfNeeded: scalar)
      return 1
    case 0x80..<0x800:
      bytes[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
      bytes[1] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      return 2
    case 0x800..<0x10000:
      bytes[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
      bytes[1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
      bytes[2] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      return 3
    default:
      bytes[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
      bytes[1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F)
      bytes[2] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
      bytes[3] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      return 4
    }
  }
}
