/// Receives the origins of the parts of a fold while the fold is made. Offsets are in bytes of UTF-8.
protocol FoldRecorder {
  /// From these offsets on, each byte of the text is one byte of the fold, until the next call.
  mutating func asciiRun(source: Int, folded: Int)
  /// A scalar of the text is, or becomes, a starter of the entry's kind.
  mutating func scalar(_ scalar: UInt32, _ entry: FoldEntry, source: Int, folded: Int)
  /// The scalar was removed.
  mutating func removed(_ scalar: UInt32)
  /// The last starter, at this offset of the fold, is taken back to be composed with the next scalar.
  mutating func takenBack(to folded: Int)
}

/// Records nothing, and takes no time.
struct NoRecorder: FoldRecorder {
  @inline(__always) mutating func asciiRun(source: Int, folded: Int) {}
  @inline(__always) mutating func scalar(_ scalar: UInt32, _ entry: FoldEntry, source: Int, folded: Int) {}
  @inline(__always) mutating func removed(_ scalar: UInt32) {}
  @inline(__always) mutating func takenBack(to folded: Int) {}
}
