/// A text on one line of a terminal, without control characters and with marked parts.
struct MarkedText {
  private struct Piece {
    let character: Character
    let width: Int
    let isMarked: Bool
  }

  private var pieces: [Piece] = []
  /// The width in columns.
  private(set) var width = 0

  /// - Parameter ranges: The parts to mark, in order.
  init(_ text: Substring, marking ranges: [Range<String.Index>] = []) {
    // Each scalar is replaced by exactly one printable scalar, so marks are kept for each scalar. The characters can
    // differ from those of the text: a combining mark after a line break joins the replacement of the line break.
    var printable = String.UnicodeScalarView()
    var marks: [Bool] = []
    var next = 0
    let scalars = text.unicodeScalars
    for index in scalars.indices {
      while next < ranges.count, ranges[next].upperBound <= index { next += 1 }
      marks.append(next < ranges.count && ranges[next].lowerBound <= index)
      printable.append(scalars[index].printable)
    }
    var place = 0
    for character in String(printable) {
      let end = place + character.unicodeScalars.count
      append(character, isMarked: marks[place..<end].contains(true))
      place = end
    }
  }

  init(_ text: String) {
    self.init(text[...])
  }

  private mutating func append(_ character: Character, isMarked: Bool) {
    let piece = Piece(character: character, width: character.displayWidth, isMarked: isMarked)
    pieces.append(piece)
    width += piece.width
  }

  mutating func append(_ other: MarkedText) {
    pieces += other.pieces
    width += other.width
  }

  /// Returns the text with spaces up to a column's width. A wider text stays unchanged.
  ///
  /// - Parameter atEnd: Whether the text is aligned to the column's end.
  func padded(toWidth column: Int, atEnd: Bool) -> MarkedText {
    var padding = MarkedText(String(repeating: " ", count: max(0, column - width)))
    guard atEnd else {
      var padded = self
      padded.append(padding)
      return padded
    }
    padding.append(self)
    return padding
  }

  /// Returns the text, cut to a width with an ellipsis.
  ///
  /// - Parameter showsMark: Whether the beginning is cut, too, if the first marked part would not be visible.
  func cut(toWidth limit: Int, showsMark: Bool = false) -> MarkedText {
    guard width > limit else { return self }
    var result = MarkedText("")
    guard limit > 0 else { return result }
    let ellipsis: Character = "…"
    // Two ellipses and a character between them need three columns.
    let start = showsMark && limit > 2 ? start(toShowMarkIn: limit) : 0
    if start > 0 { result.append(ellipsis, isMarked: false) }
    var rest = pieces[start...].reduce(0) { $0 + $1.width }
    for piece in pieces[start...] {
      // Either the rest fits, or this character and an ellipsis do.
      guard result.width + rest <= limit || result.width + piece.width < limit else { break }
      result.append(piece.character, isMarked: piece.isMarked)
      rest -= piece.width
    }
    if rest > 0 { result.append(ellipsis, isMarked: false) }
    return result
  }

  /// Returns the start of a cut text that shows the first mark, with some text before it.
  private func start(toShowMarkIn limit: Int) -> Int {
    guard let first = pieces.firstIndex(where: \.isMarked) else { return 0 }
    let end = pieces[first...].firstIndex { !$0.isMarked } ?? pieces.count
    let mark = pieces[first..<end].reduce(0) { $0 + $1.width }
    if pieces[..<first].reduce(0, { $0 + $1.width }) + mark < limit { return 0 }
    // A third of the width shows text before the mark, if the mark and two ellipses leave room for it.
    var (start, room) = (first, max(0, min(limit / 3, limit - 2 - mark)))
    while start > 0, pieces[start - 1].width <= room {
      start -= 1
      room -= pieces[start].width
    }
    // If the text ends before the column does, the free width shows more text before the mark.
    var rest = pieces[start...].reduce(0) { $0 + $1.width }
    while start > 0, rest + pieces[start - 1].width < limit {
      start -= 1
      rest += pieces[start].width
    }
    return start
  }

  /// Returns the text, with a function applied to its marked parts.
  func text(marked: (String) -> String = { $0 }) -> String {
    var text = ""
    var index = 0
    while index < pieces.count {
      let isMarked = pieces[index].isMarked
      let end = pieces[index...].firstIndex { $0.isMarked != isMarked } ?? pieces.count
      let part = String(pieces[index..<end].map(\.character))
      text += isMarked ? marked(part) : part
      index = end
    }
    return text
  }
}
