/// Widens ranges of a text's bytes to whole characters, from its beginning on, in one pass.
///
/// A character is Swift's: a letter with its marks, a family of emoji, a flag.
struct CharacterBorders {
  private let text: String
  /// A border, at or before all that is asked for from now on.
  private var known: Place

  struct Place: Equatable {
    let index: String.Index
    /// In bytes of UTF-8.
    let offset: Int
  }

  init(_ text: String) {
    self.text = text
    known = Place(index: text.startIndex, offset: 0)
  }

  /// The last border that isn't behind an offset. Offsets begin scalars, and none is less than the border that was found last.
  mutating func border(atOrBefore offset: Int) -> Place {
    let index = text.utf8.index(known.index, offsetBy: offset - known.offset)
    if index == text.endIndex || offset == known.offset { return note(index) }
    // Goes forwards from a border: backwards, Swift looks at all marks of a character again for each.
    var border = index
    while border > known.index, !isSurely(border) { border = text.utf8.index(before: border) }
    // The index that Swift gave knows that it is one of a character.
    if border <= known.index { border = known.index }
    while border < index {
      let next = text.index(after: border)
      if next > index { break }
      border = next
    }
    return note(border)
  }

  /// The first border that isn't before an offset.
  mutating func border(atOrBehind offset: Int) -> Place {
    let place = border(atOrBefore: offset)
    return place.offset == offset ? place : note(text.index(after: place.index))
  }

  private mutating func note(_ index: String.Index) -> Place {
    known = Place(index: index, offset: known.offset + text.utf8.distance(from: known.index, to: index))
    return known
  }

  /// Between two scalars of ASCII there is a border, but for one: most texts need no more.
  private func isSurely(_ index: String.Index) -> Bool {
    let (next, last) = (text.utf8[index], text.utf8[text.utf8.index(before: index)])
    return next < 0x80 && last < 0x80 && next != UInt8(ascii: "\n")
  }
}
