import Testing

@testable import SanderlingCLI

struct KeyDecoderTests {
  @Test(arguments: [
    ("\u{1B}[A\u{1B}[B", [TerminalKey.up, .down]), ("\u{1B}[C\u{1B}OD\t", [.right, .left, .tab]),
    ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
    ("\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]), ("\u{1B}", [.escape]),
    ("gé日\n\u{7F}", [.character("g"), .character("é"), .character("日"), .enter, .backspace]),
    ("\u{1B}[1;5Cx", [.character("x")]), ("\u{1}q", [.character("q")]),
    // Escape together with later keys, as slow connections send them.
    ("\u{1B}q", [.escape, .character("q")]), ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}\u{1B}", [.escape, .escape]),
    ("a\u{1B}[99;99;99zb\u{1B}[\nc", [.character("a"), .character("b"), .enter, .character("c")]),
    ("\u{0}\u{9B}\u{85}x", [.character("x")]),
    ("\u{1B}[200~a\tb\r\nq\u{1B}[A\u{0}é\u{1B}[201~c", [.paste("a b  q[Aé"), .character("c")]),
    ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
  ])
  func decodesTheBytesThatTerminalsSend(text: String, keys: [TerminalKey]) {
    var decoder = KeyDecoder()
    #expect(decoder.keys(text.utf8) == keys)
    // Byte by byte, as slow connections send keys. An escape alone is a key, so those cases are left out.
    guard !text.contains("\u{1B}") else { return }
    var slow = KeyDecoder()
    #expect(text.utf8.flatMap { slow.keys([$0]) } == keys)
  }

  /// Invalid bytes are skipped, and no byte after them is lost.
  @Test(arguments: [
    [0xFF, 0x61] as [UInt8], [0xC3, 0x61], [0xE2, 0x82, 0x61], [0x80, 0x80, 0x61], [0xC0, 0xAF, 0x61],
    [0xED, 0xA0, 0x80, 0x61], [0xF8, 0x88, 0x80, 0x80, 0x80, 0x61], [0xF4, 0x90, 0x80, 0x80, 0x61],
  ])
  func skipsInvalidBytes(bytes: [UInt8]) {
    var decoder = KeyDecoder()
    #expect(decoder.keys(bytes) == [.character("a")])
  }

  @Test func pastesOfAnySizeComeInPieces() {
    var decoder = KeyDecoder()
    let bytes = Array("\u{1B}[200~".utf8) + [UInt8](repeating: 0x78, count: 300_000) + Array("\u{1B}[201~q".utf8)
    var keys: [TerminalKey] = []
    for start in stride(from: 0, to: bytes.count, by: 1_021) {
      keys += decoder.keys(bytes[start..<min(start + 1_021, bytes.count)])
    }
    #expect(keys.last == .character("q") && keys.count == 2)
    guard case .paste(let text) = keys.first else { return #expect(Bool(false), "it is a paste") }
    #expect(text == String(repeating: "x", count: 100_000))
  }

  /// After any bytes, later keys are decoded.
  @Test func decodesLaterKeysAfterAnyBytes() {
    var generator = SeededGenerator()
    print("Keys: SANDERLING_SEED=\(generator.seed)")
    for _ in 0..<2_000 {
      var decoder = KeyDecoder()
      let alphabet: [UInt8] = [
        0x1B, 0x5B, 0x4F, 0x32, 0x30, 0x7E, 0x61, 0xC3, 0xA9, 0xE2, 0xF0, 0xFF, 0x00, 0x0A, 0x7F,
      ]
      for _ in 0..<Int.random(in: 0...5, using: &generator) {
        _ = decoder.keys(
          (0..<Int.random(in: 0...20, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? 0 })
      }
      // Ends a possible paste and a possible escape sequence.
      _ = decoder.keys("\u{1B}[201~".utf8)
      _ = decoder.keys("xxxx".utf8)
      #expect(decoder.keys("q\u{7F}\u{1B}[A".utf8) == [.character("q"), .backspace, .up])
    }
  }
}
