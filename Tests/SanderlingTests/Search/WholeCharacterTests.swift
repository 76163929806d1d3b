import Foundation
import Testing

@testable import Sanderling

/// Searches match whole characters only. All three implementations agree: the SQL function that checks the rows of an
/// index, live results, and highlights.
@MainActor @Suite struct WholeCharacterTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let kind: SearchKind
    let input: String
    let found: [String]
    let missed: [String]

    var testDescription: String { "\(kind) \(input)" }

    init(_ kind: SearchKind, _ input: String, in found: [String], not missed: [String]) {
      (self.kind, self.input, self.found, self.missed) = (kind, input, found, missed)
    }
  }

  nonisolated static let cases = [
    // Flags are paired from the beginning of a run of regional letters.
    Case(.substrings, "🇪🇫", in: ["🇪🇫", "a🇪🇫🇩", "🇩 🇪🇫", "🇩🇪🇪🇫"], not: ["🇩🇪🇫🇷", "🇩🇪🇫", "🇩🇩🇩🇪🇫🇷"]),
    Case(.substrings, "🇩🇪", in: ["x🇩🇪🇫🇷", "🇫🇷🇩🇪", "🇩🇪🇩"], not: ["🇫🇩🇪🇷", "🇩"]),
    Case(.substrings, "🇩🇪🇫🇷", in: ["🇩🇪🇫🇷", "🇫🇷🇩🇪🇫🇷"], not: ["🇫🇷🇩🇪", "🇫🇩🇪🇫🇷🇩"]),
    Case(.substrings, "🇩", in: ["🇩", "🇩🇪🇩", "🇩 🇪"], not: ["🇩🇪", "🇪🇩"]),
    Case(.substrings, "🇫🇷 h", in: ["🇩🇪🇫🇷 here"], not: ["🇩🇫🇷 here"]),
    Case(.prefix, "🇩🇪", in: ["🇩🇪", "🇩🇪🇫", "🇩🇪a"], not: ["🇩", "🇫🇩🇪"]),
    Case(.prefix, "🇩", in: ["🇩", "🇩a"], not: ["🇩🇪", "🇩🇪🇫🇷"]),
    // Tags after a flag make it another flag.
    Case(.substrings, "🏴", in: ["🏴", "a 🏴!"], not: ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 land"]),
    Case(.substrings, "🏴󠁧󠁢󠁥󠁮󠁧󠁿", in: ["land of 🏴󠁧󠁢󠁥󠁮󠁧󠁿s"], not: ["🏴", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"]),
    Case(.prefix, "🏴", in: ["🏴", "🏴a"], not: ["🏴󠁧󠁢󠁥󠁮󠁧󠁿"]),
    // The fold removes joiners and variation selectors of emoji. It removes skin tones like diacritics.
    Case(.substrings, "👍", in: ["👍", "👍🏽", "so 👍🏿!"], not: ["👎🏽"]),
    Case(.substrings, "👍🏽", in: ["👍🏽", "👍🏽👍🏿"], not: ["👍", "👍🏿"]),
    Case(.substrings, "👩", in: ["👩", "👨‍👩‍👧", "👩🏽‍🚀"], not: ["👨‍👧"]),
    Case(.substrings, "👩‍👧", in: ["👩‍👧", "👨‍👩‍👧", "👩👧"], not: ["👧‍👩"]),
    Case(.substrings, "❤️", in: ["❤", "❤️", "a❤️b"], not: ["💙"]),
    // Marks that the fold keeps belong to their symbols, and to letters of scripts without spaces.
    Case(.substrings, "หม", in: ["หม", "หมา", "เหม ี"], not: ["หมี"]),
    Case(.substrings, "\u{E35}", in: ["\u{E35}", " \u{E35}", "a, \u{E35}"], not: ["หมี", "ที"]),
    Case(.substrings, "か", in: ["か", "かき"], not: ["が", "か\u{3099}"]),
    Case(.substrings, "€", in: ["€", "€5"], not: ["€\u{20DD}", "€\u{20DD}5"]),
    Case(.substrings, "\u{20DD}", in: ["\u{20DD}", ".\u{20DD}"], not: ["€\u{20DD}", "1\u{20DD}"]),
    Case(.substrings, "하", in: ["하", "하나"], not: ["한", "\u{1112}\u{1161}\u{11AB}"]),
    // The fold removes the marks of other letters, or a user may type them after the letters.
    Case(.substrings, "e", in: ["e", "é", "e\u{301}", "E\u{323}\u{302}"], not: ["o"]),
    Case(.substrings, "é", in: ["e", "é", "Ệ"], not: ["o"]),
    Case(.substrings, "и", in: ["и", "и\u{301}"], not: ["й", "и\u{306}"]),
    Case(.substrings, "हिन", in: ["हिन", "हिन्दी", "a हिनि"], not: ["हन"]),
    Case(.substrings, "1", in: ["1", "1️⃣", "21"], not: ["2️⃣"]),
    Case(.prefix, "हिन", in: ["हिन्दी"], not: ["अहिन"]),
  ]

  @Test(arguments: cases) func textsMatchByWholeCharacters(_ example: Case) {
    let search = TextSearch(example.input, in: example.kind)
    let highlights = SearchHighlights(example.input, in: example.kind)
    for (texts, isFound) in [(example.found, true), (example.missed, false)] {
      for text in texts {
        #expect(search.matches(text) == isFound, "\(text)")
        #expect(highlights.ranges(in: text).isEmpty != isFound, "\(text)")
        // The text around the match contains no match.
        let snippet = highlights.snippet(of: "a bird " + text + " sang")
        if example.kind == .substrings { #expect(snippet.ranges.isEmpty != isFound, "\(text)") }
      }
    }
  }

  /// Searches by indexes match whole characters, and so do live results of rows that are written.
  @Test func queriesMatchByWholeCharacters() async throws {
    let store = try Store(inMemory: matchSchema, liveInterval: .zero, audit: .everyCommit { Issue.record("\($0)") })
    let texts = Array(Set(Self.cases.flatMap { $0.found + $0.missed })).sorted()
    let queries = Self.cases.map { example in
      MatchedNote.where { $0.title.matches(example.input, in: example.kind) }.order { $0.id }
    }
    let lists = queries.map { store.liveList($0, window: 1000) }
    for list in lists { _ = list.rows }
    await store.settled()
    // Half of the rows are indexed. The others are written one by one and wait to be indexed.
    try await store.write { tx in
      for (id, text) in texts.enumerated() where id.isMultiple(of: 2) {
        try tx.insert(MatchedNote(id: id, title: text))
      }
    }
    try await store.searchIndexed()
    try await store.write { tx in
      for (id, text) in texts.enumerated() where !id.isMultiple(of: 2) {
        try tx.insert(MatchedNote(id: id, title: text))
      }
    }
    for isIndexed in [false, true] {
      if isIndexed { try await store.searchIndexed() }
      await store.settled()
      for (example, (query, list)) in zip(Self.cases, zip(queries, lists)) {
        let fetched = try await store.fetch(query)
        let found = Set(fetched.map(\.title))
        #expect(found.isSuperset(of: example.found), "\(example.testDescription)")
        #expect(found.isDisjoint(with: example.missed), "\(example.testDescription)")
        #expect(list.elements == fetched, "\(example.testDescription)")
      }
    }
    #expect(try await store.checkSearchIndexes(of: MatchedNote.self) == [])
  }

  /// A search examines each position once, however many candidates precede it. Otherwise the search of these texts takes
  /// hours.
  @Test func longRunsAreExaminedOnce() {
    let flags = String(repeating: "🇩🇪", count: 200_000)
    #expect(!TextSearch("🇪🇩", in: .substrings).matches(flags))
    #expect(TextSearch("🇪🇩", in: .substrings).matches(flags + " 🇪🇩"))
    #expect(SearchHighlights("🇩🇪", in: .substrings).ranges(in: flags).count == 1)
    let marks = "ม" + String(repeating: "\u{E35}", count: 400_000)
    #expect(!TextSearch("\u{E35}", in: .substrings).matches(marks))
    #expect(!TextSearch("ม\u{E35}", in: .substrings).matches(marks))
    #expect(TextSearch("ม\u{E35}", in: .substrings).matches(marks + "ม\u{E35}"))
  }
}
