/// Decodes the bytes of a terminal into keys. Unknown sequences and invalid UTF-8 are skipped.
struct KeyDecoder {
  private var pending: ArraySlice<UInt8> = []
  /// The pasted bytes so far; nil outside a paste.
  private var pasted: [UInt8]?

  /// The number of bytes that are kept of one paste.
  private static let longestPaste = 100_000
  /// The most bytes of a key's sequence.
  private static let longestSequence = 32
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Returns the keys that are complete with these bytes.
  mutating func keys(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
    pending += bytes
    var keys: [TerminalKey] = []
    while let (key, count) = pasted == nil ? next() : paste() {
      pending.removeFirst(count)
      if let key { keys.append(key) }
    }
    // A lone escape is the escape key, since a terminal sends a sequence in one piece.
    if pasted == nil, pending == [0x1B] {
      keys.append(.escape)
      pending = []
    }
    return keys
  }

  /// Returns the next key and its number of bytes; nil if bytes are missing. The key is nil for bytes to skip.
  private mutating func next() -> (TerminalKey?, Int)? {
    guard let first = pending.first else { return nil }
    switch first {
    case 0x1B: return sequence()
    case 0x0D, 0x0A: return (.enter, 1)
    case 0x7F, 0x08: return (.backspace, 1)
    case 0x09: return (.tab, 1)
    case ..<0x20: return (nil, 1)
    case ..<0x80: return (.character(Character(Unicode.Scalar(first))), 1)
    case 0xC2...0xDF: return character(2)
    case 0xE0...0xEF: return character(3)
    case 0xF0...0xF4: return character(4)
    default: return (nil, 1)
    }
  }

  /// Decodes a character of several bytes.
  private func character(_ count: Int) -> (TerminalKey?, Int)? {
    let bytes = pending.prefix(count)
    // A byte that doesn't continue this character may begin another character.
    if let other = bytes.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) { return (nil, other - bytes.startIndex) }
    guard bytes.count == count else { return nil }
    guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first,
      scalar.properties.generalCategory != .control
    else { return (nil, count) }
    return (.character(Character(scalar)), count)
  }

  /// Decodes `ESC [ … letter`, `ESC [ number ~` or `ESC O letter`, or an escape key that another key follows.
  private mutating func sequence() -> (TerminalKey?, Int)? {
    let start = pending.startIndex
    guard pending.count > 1 else { return nil }
    guard [UInt8(ascii: "["), UInt8(ascii: "O")].contains(pending[start + 1]) else { return (.escape, 1) }
    guard let end = pending[(start + 2)...].firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
      return pending.count > Self.longestSequence ? (nil, pending.count) : nil
    }
    guard (0x40...0x7E).contains(pending[end]) else { return (nil, end - start) }
    let text = String(decoding: pending[(start + 2)...end], as: UTF8.self)
    if text == "200~" { pasted = [] }
    return (Self.keys[text], end - start + 1)
  }

  private static let keys: [String: TerminalKey] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "5~": .pageUp, "6~": .pageDown,
    "1~": .home, "7~": .home, "4~": .end, "8~": .end,
  ]

  /// Returns the pasted text, once its end has arrived.
  private mutating func paste() -> (TerminalKey?, Int)? {
    if let end = pending.firstRange(of: Self.pasteEnd) {
      take(pending[..<end.lowerBound])
      let text = String(decoding: pasted ?? [], as: UTF8.self)
      pasted = nil
      return (.paste(text.onOneLine), end.upperBound - pending.startIndex)
    }
    // The last bytes may be the beginning of the end mark.
    let rest = pending.suffix(Self.pasteEnd.count - 1)
    take(pending[..<rest.startIndex])
    pending = rest
    return nil
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    let room = Self.longestPaste - (pasted?.count ?? 0)
    pasted? += bytes.prefix(max(0, room))
  }
}

extension String {
  /// The text with spaces for tabs and ends of lines, and without other control characters.
  fileprivate var onOneLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.compactMap { scalar in
          switch scalar.properties.generalCategory {
          case .control: ["\t", "\n", "\r"].contains(scalar) ? " " : nil
          case .lineSeparator, .paragraphSeparator: " "
          default: scalar
          }
        }))
  }
}
