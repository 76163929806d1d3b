import Testing

@testable import Sanderling

/// A search narrows another if it certainly finds nothing that the other doesn't find.
@Suite struct SearchNarrowingTests {
  @Test(arguments: [
    // The most frequent edits of an input.
    (SearchKind.words, "", "c"), (.words, "c", "ca"), (.words, "стр", "страна"), (.words, "αθ", "Αθήνα"),
    (.words, "cafe", "café "),
    (.words, "cafe ", "cafe p"), (.words, "cafe p", "cafe paris"), (.words, "cafe", "paris cafe"),
    (.words, "a b", "b a "),
    (.words, "foo -", "foo -b"), (.words, "foo", "foo -b"), (.words, "\"two wor", "\"two words\""),
    (.words, "\"two words", "\"two words\""),
    (.words, "e-m", "e-mail"), (.words, "京", "京都"), (.words, "京都", "京都大"), (.words, "2024年", "2024年度"),
    (.words, "हिन", "हिन्द"),
    (.words, "c+", "c++"), (.words, "c++", "c++1"), (.words, "fish", "fish fishing"), (.words, "  ", "x"),
    (.words, "--", "-x"), (.words, "\"a", "\"a b\" c"), (.words, "한 국", "한 국가"), (.words, "b", "a b"),
    (.words, "x", "X "),
    (.substrings, "a", "ab"), (.substrings, "b", "ab"), (.substrings, "ss", "Maße"), (.substrings, "", "a"),
    (.substrings, "हि", "हिन"),
    (.substrings, "a ", "a b"), (.prefix, "a", "ab"), (.prefix, "ma", "maß"), (.prefix, "한", "한국"),
  ])
  func narrows(_ kind: SearchKind, _ shorter: String, _ longer: String) {
    #expect(TextSearch(longer, in: kind).narrows(TextSearch(shorter, in: kind)))
  }

  /// The longer input doesn't narrow the shorter input: only the longer input finds the text.
  @Test(arguments: [
    (SearchKind.words, "issue#", "issue#1", "issue#12"), (.words, "하", "한", "한글"), (.words, "หม", "หมี", "หมี"),
    (.words, "a -b", "a -bc", "a b"), (.words, "か", "が", "が"), (.words, "a+", "a+b", "a+b"),
    (.substrings, "하", "한", "한글"), (.substrings, "หม", "หมี", "หมี"), (.prefix, "하", "한", "한글"),
    (.prefix, "หม", "หมี", "หมี"),
    (.words, "fish", "fis", "fist"), (.words, "fish", "fisch", "fisch"), (.words, "-a", "-b", "a"),
    (.prefix, "b", "ab", "ab"),
  ])
  func doesNotNarrow(_ kind: SearchKind, _ shorter: String, _ longer: String, _ text: String) {
    #expect(!TextSearch(longer, in: kind).narrows(TextSearch(shorter, in: kind)))
    #expect(TextSearch(longer, in: kind).matches(text) && !TextSearch(shorter, in: kind).matches(text))
  }

  /// Each text that a narrower search finds is also found by the wider search, for all inputs of the fixture.
  @Test func fixture() throws {
    let fixture = try SearchFixture()
    for kind in SearchKind.allCases {
      let found = fixture.queries.filter { $0.kind == kind }.map { query in
        (search: TextSearch(query.input, in: kind), ids: query.ids)
      }
      var count = 0
      for one in found {
        for other in found where one.search.narrows(other.search) {
          count += 1
          #expect(one.ids.isSubset(of: other.ids), "\(one.search) and \(other.search)")
        }
      }
      #expect(count > found.count)
    }
  }

  @Test func randomInputs() {
    var generator = SeededGenerator()
    var (narrowing, narrowed) = (0, 0)
    for round in 0..<3_000 {
      let letters = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        RandomText.scalars.randomElement(using: &generator)!
      }
      func text(_ pieces: ClosedRange<Int>) -> String {
        RandomText.text(of: letters, &generator, pieces: .random(in: pieces, using: &generator))
      }
      let texts = (0..<40).map { _ in text(0...6) }
      // Inputs as they are typed, and unrelated inputs.
      var inputs = [text(1...3)]
      for _ in 0..<4 { inputs.append(Bool.random(using: &generator) ? inputs.last! + text(1...1) : text(1...4)) }
      for kind in SearchKind.allCases {
        let searches = inputs.map { TextSearch($0, in: kind) }
        let found = searches.map { search in texts.map { search.matches($0) } }
        for (one, other) in searches.indices.flatMap({ one in searches.indices.map { (one, $0) } }) where one != other {
          guard searches[one].narrows(searches[other]) else { continue }
          narrowing += 1
          if found[one].contains(true) { narrowed += 1 }
          for (text, isFound) in zip(texts, zip(found[one], found[other])) where isFound.0 && !isFound.1 {
            Issue.record(
              "SANDERLING_SEED=\(generator.seed), round \(round): \(inputs[one].debugDescription) finds \(text.debugDescription), \(inputs[other].debugDescription) doesn't"
            )
          }
          // The same holds for texts that are searched together.
          let pair = [texts.randomElement(using: &generator)!, texts.randomElement(using: &generator)!]
          if searches[one].matches(pair) {
            #expect(searches[other].matches(pair), "SANDERLING_SEED=\(generator.seed), \(pair)")
          }
        }
      }
    }
    // Both cases must be frequent enough for the test to prove something.
    #expect(narrowing > 10_000 && narrowed > 3_000, "\(narrowing), \(narrowed)")
  }

  /// Each typed letter of ordinary words narrows the search.
  @Test func ordinaryTyping() {
    for text in [
      "the café in strasse", "Привет, мир", "Καλημέρα κόσμε", "İstanbul’da ılık bir gün", "\"quick brown\" fox -lazy ",
      "東京都の天気",
    ] {
      var last = TextSearch("", in: .words)
      for end in text.indices {
        let search = TextSearch(String(text[...end]), in: .words)
        // An excluded word counts as complete: a text without "lazy" may contain "l".
        let isExcluding = search.terms.last?.isExcluded == true && last.terms.last?.isExcluded == true
        if !isExcluding { #expect(search.narrows(last), "\(text[...end])") }
        last = search
      }
    }
  }

  /// An input without words matches texts that are searched together, as it matches a single text.
  @Test func inputsWithoutWords() {
    for kind in SearchKind.allCases {
      #expect(TextSearch(" ", in: kind).matches(["a", ""]))
      #expect(!TextSearch(" ", in: kind).matches([]))
    }
  }

  @Test func manyTerms() {
    let input = (0..<20_000).map { "w\($0)" }.joined(separator: " ")
    let search = TextSearch(input, in: .words)
    #expect(search.narrows(search) && !TextSearch(input + " x", in: .words).narrows(search))
  }
}
