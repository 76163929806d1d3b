import Foundation
import Testing

@testable import Sanderling

/// The parts of texts that a search highlights, here in brackets.
@Suite struct SearchHighlightsTests {
  @Test(arguments: [
    // A word, the beginning of a word, and a word that contains the input.
    ("fish ", "Fish, fishing, a FISH", "[Fish], fishing, a [FISH]"),
    ("fish", "Fish, fishing, catfish", "[Fish], [fish]ing, catfish"),
    ("two one ", "one two three one", "[one] [two] three [one]"),
    ("cafe -bar", "Café & bar", "[Café] & bar"), ("-bar", "Café & bar", "Café & bar"), ("", "all", "all"),
    ("  \"", "all", "all"),
    // Adjacent words are one part, together with the characters between them.
    ("e-mail ", "an E mail, an e-mail, email", "an [E mail], an [e-mail], email"),
    ("\"a b\" b", "a b, b a", "[a b], [b] a"), ("don't", "I don’t!", "I [don’t]!"),
    ("c++ ", "C++17, C++ and c+", "[C++]17, [C++] and c+"),
    // Characters whose fold has another length.
    ("strass", "Straße", "[Straß]e"), ("stras", "Straße", "[Straß]e"), ("f", "ﬁsh and ﬁn", "[ﬁ]sh and [ﬁ]n"),
    ("ﬁ", "fish", "[fi]sh"), ("aero", "Ærø", "[Ærø]"), ("istanbul ", "İstanbul", "[İstanbul]"),
    ("ｈｅｌｌｏ ", "ＨＥＬＬＯ hello", "[ＨＥＬＬＯ] [hello]"), ("soft", "so\u{AD}ft", "[so\u{AD}ft]"),
    // Combining marks.
    ("cafe", "Cafe\u{301}s", "[Cafe\u{301}]s"), ("elan ", "é́lan", "[é́lan]"),
    ("билет", "Биле\u{301}ты", "[Биле\u{301}т]ы"),
    ("שלום", "שָׁלוֹם", "[שָׁלוֹם]"), ("हिन", "हिन्दी", "[हिन्दी]"),
    // Scripts without spaces, whose units match anywhere.
    ("都大", "京都大学の都大路", "京[都大]学の[都大]路"), ("京都 都大", "京都大学", "[京都大]学"), ("2024年", "2024年度と2023年", "[2024年]度と2023年"),
    ("が", "か\u{3099}が", "[か\u{3099}が]"), ("한", "\u{1112}\u{1161}\u{11AB}국 한", "[\u{1112}\u{1161}\u{11AB}]국 [한]"),
    ("특별", "서울특별시", "서울[특별]시"), ("หมี", "เหมียว หมี", "เ[หมี]ยว [หมี]"), ("หม", "หมี", "หมี"),
    // Emoji and flags.
    ("👩", "a 👨‍👩‍👧 b", "a [👨‍👩‍👧] b"), ("👍", "👍🏽!", "[👍🏽]!"), ("🇫🇷", "🇩🇪🇫🇷🇩🇪", "🇩🇪[🇫🇷]🇩🇪"), ("❤", "❤️x", "[❤️]x"),
    ("1", "1️⃣", "[1️⃣]"),
  ])
  func words(_ input: String, _ text: String, _ marked: String) {
    expect(input, .words, text, marked)
  }

  @Test(arguments: [
    ("ish", "fishing fish", "f[ish]ing f[ish]"), ("aa", "aaaaa", "[aaaa]a"), ("a b", "xa  a b", "xa  [a b]"),
    ("ss", "Maße, Mass", "Ma[ß]e, Ma[ss]"), ("s", "Maß", "Ma[ß]"), (" é ", "CAFE\u{301}e", "CAF[E\u{301}e]"),
    ("🇪🇫", "🇩🇪🇫🇷🇩🇪", "🇩🇪🇫🇷🇩🇪"), ("🇫🇷", "🇩🇪🇫🇷🇩🇪", "🇩🇪[🇫🇷]🇩🇪"), ("👍", "👍🏽!", "[👍🏽]!"), ("👩", "a 👨‍👩‍👧 b", "a [👨‍👩‍👧] b"),
    ("%_\"-", "a%_\"-b", "a[%_\"-]b"), ("\r\n", "a\r\nb", "a\r\nb"), ("a\nb", "a\nb", "[a\nb]"),
    ("式会", "㍿", "[㍿]"),
  ])
  func substrings(_ input: String, _ text: String, _ marked: String) {
    expect(input, .substrings, text, marked)
  }

  @Test(arguments: [
    ("str", "Straße str", "[Str]aße str"), ("strass", "Straße", "[Straß]e"), ("x", "ax", "ax"), (" a", "a", "[a]"),
    ("", "a", "a"),
  ])
  func prefixes(_ input: String, _ text: String, _ marked: String) {
    expect(input, .prefix, text, marked)
  }

  private func expect(_ input: String, _ kind: SearchKind, _ text: String, _ marked: String) {
    #expect(Self.mark(text, SearchHighlights(input, in: kind).ranges(in: text)).unicodes == marked.unicodes)
  }

  private static func mark(_ text: String, _ ranges: [Range<String.Index>]) -> String {
    var result = ""
    var end = text.startIndex
    for range in ranges {
      result += text[end..<range.lowerBound] + "[" + text[range] + "]"
      end = range.upperBound
    }
    return result + text[end...]
  }

  @Test func attributes() {
    var container = AttributeContainer()
    container.link = URL(string: "x:")
    let highlights = SearchHighlights("cafe o")
    let text = highlights.attributed("Café Orval", container)
    #expect(text.runs.map { String(text[$0.range].characters) } == ["Café", " ", "O", "rval"])
    #expect(text.runs.map { $0.link != nil } == [true, false, true, false])
    #expect(highlights.snippet(of: "Café Orval").attributed(container) == text)
  }

  // MARK: - Properties of all highlights

  @Test func fixture() throws {
    let fixture = try SearchFixture()
    for query in fixture.queries {
      let highlights = SearchHighlights(query.input, in: query.kind)
      for (id, text) in fixture.texts { check(highlights, text, "line \(query.line), text \(id)") }
    }
  }

  @Test func randomTexts() {
    var generator = SeededGenerator()
    for round in 0..<2_000 {
      let letters = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        RandomText.scalars.randomElement(using: &generator)!
      }
      let text = RandomText.text(of: letters, &generator, pieces: .random(in: 0...14, using: &generator))
      let input = RandomText.text(of: letters, &generator, pieces: .random(in: 0...3, using: &generator))
      for kind in SearchKind.allCases {
        check(SearchHighlights(input, in: kind), text, "SANDERLING_SEED=\(generator.seed), round \(round), \(kind)")
      }
    }
  }

  private func check(_ highlights: SearchHighlights, _ text: String, _ place: String) {
    let ranges = highlights.ranges(in: text)
    let comment: Testing.Comment = "\(place), \(highlights.search) in \(text.unicodes)"
    let borders = Set(text.indices + [text.endIndex])
    var end: String.Index?
    for range in ranges {
      #expect(!range.isEmpty && borders.contains(range.lowerBound) && borders.contains(range.upperBound), comment)
      if let end { #expect(end < range.lowerBound, comment) }
      end = range.upperBound
      // Each highlighted part matches the search by itself.
      let part = TextSearch.matches(String(text[range]), anyOf: highlights.search)
      #expect(part, "\(comment): \(String(text[range]).unicodes)")
    }
    let isAskedFor = highlights.search.terms.contains { !$0.isExcluded } || !highlights.search.needle.isEmpty
    if highlights.search.matches(text) { #expect(ranges.isEmpty != isAskedFor, comment) }
    // Without a highlighted part, no term matches.
    if ranges.isEmpty, isAskedFor { #expect(!TextSearch.matches(text, anyOf: highlights.search), comment) }
    checkSnippet(highlights, text, ranges, comment)
  }

  // MARK: - Snippets

  private static let letter =
    "Dear Anna,\n\n  on the way back from Café Orval, where we had met Ibáñez and the others, it began to rain.\n"
    + "Nobody had an umbrella; the café was closed by then. Ibáñez said that Orval was always like this."

  @Test(arguments: [
    ("orval", 40, "…from Café [Orval], where we had met…"), ("umbrella", 20, "…an [umbrella]; the…"),
    ("ibanez orval", 60, "…Café [Orval], where we had met [Ibáñez] and the others, it…"),
    ("dear", 20, "[Dear] Anna, on the…"), ("this", 20, "…always like [this]."), ("nothing", 20, "Dear Anna, on the…"),
    ("", 20, "Dear Anna, on the…"), ("umbrella", 8, "…[umbrel]…"), ("umbrella", 3, "…[u]…"),
  ])
  func snippets(_ input: String, _ length: Int, _ marked: String) {
    let snippet = SearchHighlights(input).snippet(of: Self.letter, maxLength: length)
    #expect(Self.mark(snippet.text, snippet.ranges) == marked)
  }

  @Test func snippetsOfShortTexts() {
    for length in [9, 10, 120] {
      let snippet = SearchHighlights("b").snippet(of: " \n a\t\n b\r\nc d e ", maxLength: length)
      #expect(Self.mark(snippet.text, snippet.ranges) == "a [b] c d e")
    }
    #expect(SearchHighlights("b").snippet(of: "").text == "")
    #expect(SearchHighlights("b").snippet(of: "  \n ").text == "")
    // Texts of scripts without spaces may be cut at any character.
    let japanese = SearchHighlights("大学").snippet(
      of: String(repeating: "京", count: 99) + "大学" + String(repeating: "都", count: 99), maxLength: 12)
    #expect(Self.mark(japanese.text, japanese.ranges) == "…京京京[大学]都都都都都…")
  }

  private func checkSnippet(
    _ highlights: SearchHighlights, _ text: String, _ ranges: [Range<String.Index>], _ comment: Testing.Comment
  ) {
    for length in [3, 7, 20] {
      let snippet = highlights.snippet(of: text, maxLength: length)
      #expect(snippet.text.count <= length, comment)
      #expect(ranges.isEmpty == snippet.ranges.isEmpty, comment)
      #expect(!snippet.text.contains(where: { $0.isNewline && $0 != "\u{0}" }), comment)
      let borders = Set(snippet.text.indices + [snippet.text.endIndex])
      for range in snippet.ranges {
        #expect(!range.isEmpty && borders.contains(range.lowerBound) && borders.contains(range.upperBound), comment)
      }
    }
  }

  /// Highlighting long texts takes linear time. Quadratic time would be minutes here.
  @Test func longTexts() {
    let pieces = ["Straße 京都大学 fish ", "🇩🇪", "\u{301}", "a", "京", "👩‍👧", " "]
    for piece in pieces {
      let text = String(repeating: piece, count: 100_000 / piece.utf8.count)
      for input in ["fish 大 a", "🇩🇪 京", "\u{301}", "👩 nothing", "a"] {
        for kind in SearchKind.allCases {
          let highlights = SearchHighlights(input, in: kind)
          let ranges = highlights.ranges(in: text)
          let snippet = highlights.snippet(of: text)
          #expect(ranges.isEmpty == snippet.ranges.isEmpty)
        }
      }
    }
  }
}

extension TextSearch {
  /// Whether a text contains the needle, or any term of the search that isn't excluded.
  fileprivate static func matches(_ text: String, anyOf search: TextSearch) -> Bool {
    guard search.kind == .words else { return search.matches(text) }
    var text = text
    return text.withUTF8 { bytes in
      TextFold.fold(bytes) { folded in
        zip(search.terms, search.found(inFolded: folded)).contains { $1 && !$0.isExcluded }
      }
    }
  }
}

extension String {
  fileprivate var unicodes: String {
    unicodeScalars.map { $0.isASCII ? String($0) : "\\u{\(String($0.value, radix: 16))}" }.joined()
  }
}
