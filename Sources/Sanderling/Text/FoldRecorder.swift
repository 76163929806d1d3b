/// What is told where the parts of a fold come from, while it is made. Offsets are of bytes of UTF-8.
protocol FoldRecorder {
  /// From here on each byte of the text is one byte of the fold, until the next call.
  mutating func asciiRun(source: Int, folded: Int)
  /// A scalar of the text that is, or becomes, a starter of the kind of the entry.
  mutating func scalar(_ scalar: UInt32, _ entry: FoldEntry, source: Int, folded: Int)
  /// A scalar of which nothing is left.
  mutating func removed(_ scalar: UInt32)
  /// The last starter, which begins at this offset of the fold, is taken back, to be composed with what follows.
  mutating func takenBack(to folded: Int)
}

/// Records nothing, and takes no time.
struct NoRecorder: FoldRecorder {
  @inline(__always) mutating func asciiRun(source: Int, folded: Int) {}
  @inline(__always) mutating func scalar(_ scalar: UInt32, _ entry: FoldEntry, source: Int, folded: Int) {}
  @inline(__always) mutating func removed(_ scalar: UInt32) {}
  @inline(__always) mutating func takenBack(to folded: Int) {}
}
