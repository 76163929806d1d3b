/// Where the parts of a fold come from: leads from ranges of the fold back to ranges of the text, for highlights.
///
/// A range that comes back covers whole clusters. Clusters are, for example, a letter with its marks, the whole of ß and ﬁ, a Hangul syllable
/// in jamo, an emoji with its skin tone, a family of emoji, a flag. The range is never empty unless the range of the fold is. Scalars that
/// leave nothing in the fold belong to the cluster before them.
///
/// Memory is 8 bytes for each cluster that isn't ASCII and for each run of ASCII. Texts have less than 2 GiB, as SQLite's have.
struct FoldedPositions {
  private var marks: [Mark] = []
  private let sourceCount: Int
  private let foldedCount: Int

  private struct Mark {
    let folded: UInt32
    /// The offset in the text, and in the highest bit whether a run of ASCII begins there.
    var source: UInt32
    static let run: UInt32 = 1 << 31

    var isRun: Bool { source & Self.run != 0 }
    var offset: Int { Int(source & ~Self.run) }
  }

  /// How many bytes a text has at most: marks count in 31 bits.
  static let greatestCount = Int(Int32.max)

  /// Folds a text of at most ``greatestCount`` bytes into the buffer, as `FoldBuffer.fold(_:)` does, and keeps where its parts come from. O(bytes).
  init(folding bytes: UnsafeBufferPointer<UInt8>, into buffer: FoldBuffer) {
    precondition(bytes.count <= Self.greatestCount, "a text of \(bytes.count) bytes has no positions")
    var recorder = Recorder()
    buffer.fold(bytes, &recorder)
    marks = recorder.marks
    sourceCount = bytes.count
    foldedCount = buffer.byteCount
  }

  /// The range of the text's bytes that a range of the fold's bytes comes from. O(log clusters).
  func source(of range: Range<Int>) -> Range<Int> {
    precondition(range.upperBound <= foldedCount, "The fold has \(foldedCount) bytes, and not \(range.upperBound).")
    let lower = start(of: range.lowerBound)
    guard !range.isEmpty else { return lower..<lower }
    return lower..<end(of: range.upperBound)
  }

  /// Where the cluster begins that the byte of the fold belongs to.
  private func start(of folded: Int) -> Int {
    let index = index(after: folded) - 1
    guard index >= 0 else { return 0 }
    return marks[index].isRun ? marks[index].offset + folded - Int(marks[index].folded) : marks[index].offset
  }

  /// Where the cluster ends that the byte before this offset of the fold belongs to, which is greater than 0.
  private func end(of folded: Int) -> Int {
    let next = index(after: folded - 1)
    // Inside of a run, each byte is a cluster.
    if next > 0, marks[next - 1].isRun, next == marks.count ? folded < foldedCount : folded < Int(marks[next].folded) {
      return marks[next - 1].offset + folded - Int(marks[next - 1].folded)
    }
    return next == marks.count ? sourceCount : marks[next].offset
  }

  /// The index of the first mark behind the offset of the fold.
  private func index(after folded: Int) -> Int {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if Int(marks[middle].folded) > folded { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private struct Recorder: FoldRecorder {
    var marks: [Mark] = []
    /// Decides whether the next scalar belongs to the cluster before it.
    private var joinsNext = false
    private var isHalfFlag = false

    mutating func asciiRun(source: Int, folded: Int) {
      joinsNext = false
      isHalfFlag = false
      append(Mark(folded: UInt32(folded), source: UInt32(source) | Mark.run))
    }

    mutating func scalar(_ scalar: UInt32, _ entry: FoldEntry, source: Int, folded: Int) {
      let wordClass = entry.kind == .bareLetter || entry.kind == .text ? .letter : entry.wordClass
      let wasJoined = joinsNext
      let wasHalfFlag = isHalfFlag
      joinsNext = false
      isHalfFlag = wordClass == .regionalIndicator && !wasHalfFlag
      let belongsToLast =
        switch wordClass {
        case .mark: true
        case .regionalIndicator: wasHalfFlag
        // An emoji continues after a ZWJ, and a skin tone changes the emoji before it.
        case .symbol: wasJoined || 0x1F3FB...0x1F3FF ~= scalar
        case .separator, .letter, .unspacedLetter: false
        }
      if belongsToLast {
        // Behind a run of ASCII that is its last byte.
        takenBack(to: folded - 1)
      } else {
        append(Mark(folded: UInt32(folded), source: UInt32(source)))
      }
    }

    mutating func removed(_ scalar: UInt32) {
      if scalar == 0x200D { joinsNext = true }
    }

    mutating func takenBack(to folded: Int) {
      // The last byte of a run of ASCII becomes a cluster of its own.
      guard let last = marks.last, last.isRun else { return }
      let source = last.offset + folded - Int(last.folded)
      append(Mark(folded: UInt32(folded), source: UInt32(source)))
    }

    /// The parts of one scalar begin at different offsets of the fold and at one of the text: they are one cluster.
    private mutating func append(_ mark: Mark) {
      if let last = marks.last {
        if last.folded == mark.folded {
          marks[marks.count - 1] = mark
          return
        }
        if !last.isRun, !mark.isRun, last.offset == mark.offset { return }
      }
      marks.append(mark)
    }
  }
}
