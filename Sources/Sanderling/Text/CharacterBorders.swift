/// Widens ranges of a text's bytes to whole characters, in one pass from the beginning of the text.
///
/// A character is Swift's `Character`: a letter with its marks, a family of emoji, a flag.
struct CharacterBorders {
  private let text: String
  /// A known border, at or before all offsets of later calls.
  private var known: Place

  struct Place: Equatable {
    let index: String.Index
    /// The offset in bytes of UTF-8.
    let offset: Int
  }

  init(_ text: String) {
    self.text = text
    known = Place(index: text.startIndex, offset: 0)
  }

  /// The last border at or before an offset. Offsets begin scalars, and none is less than the border that was found
  /// last.
  mutating func border(atOrBefore offset: Int) -> Place {
    let index = text.utf8.index(known.index, offsetBy: offset - known.offset)
    if index == text.endIndex || offset == known.offset { return note(index) }
    // Goes forwards from a certain border. Going backwards, Swift would examine all marks of a character again for each
    // mark.
    var border = index
    while border > known.index, !isSurely(border) { border = text.utf8.index(before: border) }
    // The index that Swift returned is marked as a character's border, which spares a search for the border.
    if border <= known.index { border = known.index }
    while border < index {
      let next = text.index(after: border)
      if next > index { break }
      border = next
    }
    return note(border)
  }

  /// The first border at or after an offset.
  mutating func border(atOrBehind offset: Int) -> Place {
    let place = border(atOrBefore: offset)
    return place.offset == offset ? place : note(text.index(after: place.index))
  }

  private mutating func note(_ index: String.Index) -> Place {
    known = Place(index: index, offset: known.offset + text.utf8.distance(from: known.index, to: index))
    return known
  }

  /// Whether an index is certainly a border: between two ASCII scalars, unless they may be CR LF. Most texts need no
  /// other check.
  private func isSurely(_ index: String.Index) -> Bool {
    let (next, last) = (text.utf8[index], text.utf8[text.utf8.index(before: index)])
    return next < 0x80 && last < 0x80 && next != UInt8(ascii: "\n")
  }
}
