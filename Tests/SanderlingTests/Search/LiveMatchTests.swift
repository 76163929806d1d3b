import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Live results of searches equal a fresh SELECT.
@MainActor
@Suite struct LiveMatchTests {
  private let folder = TemporaryFolder()

  private func store() async throws -> Store {
    let store = try Store(path: folder.path(), schema: matchSchema, liveInterval: .zero)
    try await store.write("authors") { try $0.insert(contentsOf: MatchedAuthor.all) }
    return store
  }

  @Test func listsCountsAndSectionsFollow() async throws {
    let store = try await store()
    let seed = SeededGenerator.defaultSeed
    var world = MatchWorld(store, try folder.patientConnection(), seed: seed)
    for _ in 0..<20 { try await world.write() }
    let queries: [Selection<MatchedNote, MatchedNote>] = [
      MatchedNote.where { $0.title.matches("fish") }.order { $0.id },
      MatchedNote.where { $0.title.matches("STRAS", in: .substrings) }.order { ($0.title.folded, $0.id) },
      MatchedNote.where { SearchedTexts($0.title, $0.body).matches("ea -x") }.order { ($0.id.descending) },
      MatchedNote.where { $0.title.matches("f", in: .prefix) && !$0.isPinned }.order { $0.id }.limit(5),
      MatchedNote.where { $0.author.name.matches("ea") }.order { $0.id },
      MatchedNote.where { !$0.body.matches("が") }.order { $0.id },
      MatchedNote.where { $0.title.matches("ea") }.order { ($0.title.relevance(of: "ea").descending, $0.id) },
    ]
    let lists = queries.map { store.liveList($0) }
    let counts = queries.map { store.liveCount($0) }
    let authors = MatchedAuthor.where { $0.notes.contains { $0.title.matches("fish") } }.order { $0.id }
    let authorList = store.liveList(authors)
    let sections = store.liveSections(
      MatchedNote.where { $0.title.matches("e") }.order { $0.id }.sectioned { $0.isPinned })
    let long = store.longList(MatchedNote.where { $0.title.matches("ea", in: .substrings) }.order { $0.id })
    for list in lists { _ = list.rows }
    for count in counts { _ = count.value }
    _ = (sections.sections.count, long.count, authorList.rows)

    for step in 0..<60 {
      let comment: Testing.Comment = "SANDERLING_SEED=\(seed), step \(step)"
      try await world.write()
      _ = try await store.noticeOutsideChanges()
      await store.settled()
      for (number, query) in queries.enumerated() {
        let rows = try await store.fetch(query)
        #expect(lists[number].elements == rows, comment)
        #expect(try await counts[number].value == store.count(query), comment)
      }
      #expect(authorList.elements == (try await store.fetch(authors)), comment)
      #expect(
        sections.sections.map(\.rows.count).reduce(0, +)
          == (try await store.count(MatchedNote.where { $0.title.matches("e") })), comment)
      #expect(
        try await long.count == store.count(MatchedNote.where { $0.title.matches("ea", in: .substrings) }), comment)
    }
  }

  /// Searches are maintained, because a row's membership depends on its texts alone. Only an ordering by relevance is
  /// rerun.
  @Test func membershipIsMaintained() async throws {
    let store = try await store()
    for query in [
      MatchedNote.where { $0.title.matches("fish") }, MatchedNote.where { $0.author.name.matches("a") },
      MatchedNote.where { SearchedTexts($0.title, $0.tag).matches("abc", in: .substrings) },
    ] {
      #expect(try await query.order { $0.id }.explainLive(store).isMaintained)
      #expect(try await query.explainLiveCount(store).isMaintained)
    }
    let ranked = MatchedNote.where { $0.title.matches("a") }.order { $0.title.relevance(of: "a") }
    #expect(try await !ranked.explainLive(store).isMaintained)
    #expect(try await ranked.explainLiveCount(store).isMaintained)
  }

  /// The writes that index texts change no visible value and publish nothing.
  @Test func indexingPublishesNoChange() async throws {
    let store = try await store()
    let list = store.liveList(MatchedNote.order { $0.id })
    _ = list.rows
    await store.settled()
    try folder.patientConnection().run("INSERT INTO matchedNote (id, title) VALUES (1, 'Éa')")
    #expect(try await store.noticeOutsideChanges())
    await store.settled()
    #expect(list.elements.map(\.title) == ["Éa"])
    let version = list.rows
    await store.connection.folding?.finished()
    await store.settled()
    #expect(list.rows == version)
  }
}
