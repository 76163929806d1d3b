/// The origins of the parts of a fold. Translates ranges of the fold to ranges of the text, for highlights.
///
/// A translated range covers whole clusters. A cluster is a letter with its marks, the whole of ß and ﬁ, or a Hangul
/// syllable in jamo. An emoji with its skin tone, a family of emoji and a flag are clusters too. The range is empty
/// only if the range of the fold is. Scalars that leave nothing in the fold belong to the cluster before them.
///
/// Takes 8 bytes of memory for each cluster that isn't ASCII and for each run of ASCII. Texts have less than 2 GiB, as
/// in SQLite.
struct FoldedPositions {
  private var marks: [Mark] = []
  private let sourceCount: Int
  private let foldedCount: Int

  /// The beginning of a cluster, or of a run of ASCII, in the fold and in the text.
  private struct Mark {
    let folded: UInt32
    /// The offset in the text. The highest bit says whether a run of ASCII begins there.
    var source: UInt32
    static let run: UInt32 = 1 << 31

    var isRun: Bool { source & Self.run != 0 }
    var offset: Int { Int(source & ~Self.run) }
  }

  /// The most bytes of a text. Marks store offsets in 31 bits.
  static let greatestCount = Int(Int32.max)

  /// Folds a text of at most ``greatestCount`` bytes into the buffer, like `FoldBuffer.fold(_:)`, and keeps the origins
  /// of its parts. O(bytes).
  init(folding bytes: UnsafeBufferPointer<UInt8>, into buffer: FoldBuffer) {
    precondition(bytes.count <= Self.greatestCount, "a text of \(bytes.count) bytes has no positions")
    var recorder = Recorder()
    buffer.fold(bytes, &recorder)
    marks = recorder.marks
    sourceCount = bytes.count
    foldedCount = buffer.byteCount
  }

  /// The range of the text's bytes from which a range of the fold's bytes comes. O(log clusters).
  func source(of range: Range<Int>) -> Range<Int> {
    precondition(range.upperBound <= foldedCount, "The fold has \(foldedCount) bytes, and not \(range.upperBound).")
    let lower = start(of: range.lowerBound)
    guard !range.isEmpty else { return lower..<lower }
    return lower..<end(of: range.upperBound)
  }

  /// The beginning, in the text, of the cluster that contains a byte of the fold.
  private func start(of folded: Int) -> Int {
    let index = index(after: folded) - 1
    guard index >= 0 else { return 0 }
    return marks[index].isRun ? marks[index].offset + folded - Int(marks[index].folded) : marks[index].offset
  }

  /// The end, in the text, of the cluster that contains the byte before an offset of the fold. The offset is greater
  /// than 0.
  private func end(of folded: Int) -> Int {
    let next = index(after: folded - 1)
    // In a run of ASCII, each byte is a cluster.
    if next > 0, marks[next - 1].isRun, next == marks.count ? folded < foldedCount : folded < Int(marks[next].folded) {
      return marks[next - 1].offset + folded - Int(marks[next - 1].folded)
    }
    return next == marks.count ? sourceCount : marks[next].offset
  }

  /// The index of the first mark after an offset of the fold.
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
    /// Whether the next scalar belongs to the cluster before it, as after a ZWJ.
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
        // After a run of ASCII, the cluster before the scalar is the last byte of the run.
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

    /// Appends a mark. The parts of one scalar begin at different offsets of the fold and at one offset of the text:
    /// they are one cluster.
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
