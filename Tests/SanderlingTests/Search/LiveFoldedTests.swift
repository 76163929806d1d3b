import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Live results with conditions on folded texts equal a fresh SELECT.
@MainActor
@Suite struct LiveFoldedTests {
  private let folder = TemporaryFolder()

  private func store() async throws -> Store {
    let store = try Store(path: folder.path(), schema: searchSchema, liveInterval: .zero)
    try await store.write("books") { tx in
      for id in 1...3 { try tx.insert(SearchedBook(id: id, name: SearchedNote.texts[id])) }
    }
    return store
  }

  @Test func listsCountsAndSectionsFollow() async throws {
    let store = try await store()
    let other = try folder.patientConnection()
    let seed = SeededGenerator.defaultSeed
    var generator = SeededGenerator(seed: seed)
    let queries: [Selection<SearchedNote, SearchedNote>] = [
      SearchedNote.where { $0.title.folded == "éa" }.order { $0.id },
      SearchedNote.where { $0.title.folded.hasPrefix("STRAS") }.order { ($0.title.folded, $0.id) },
      SearchedNote.where { $0.author.folded.contains("s") }.order { ($0.author.folded.descending, $0.id) },
      SearchedNote.order { ($0.title.folded, $0.author.folded, $0.id) }.limit(5),
      SearchedNote.where { $0.book.name.folded == "ea" }.order { $0.id },
    ]
    let lists = queries.map { store.liveList($0) }
    let count = store.liveCount(SearchedNote.where { $0.title.folded > "m" })
    let sections = store.liveSections(SearchedNote.order { $0.id }.sectioned { $0.title.folded })
    let long = store.longList(SearchedNote.order { ($0.title.folded, $0.id) })
    for list in lists { _ = list.rows }
    _ = (count.value, sections.sections.count, long.count)

    for step in 0..<60 {
      let comment: Testing.Comment = "SANDERLING_SEED=\(seed), step \(step)"
      let note = SearchedNote.random(.random(in: 1...40, using: &generator), using: &generator)
      let text = SearchedNote.texts.randomElement(using: &generator)!
      var isOutside = false
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1: try await store.write("upsert") { _ = try $0.upsert(note) }
      case 2: try await store.write("delete") { _ = try $0.delete(note) }
      case 3:
        try await store.write("expression") { tx in
          _ = try tx.update(SearchedNote.where { $0.id < note.id }, .set(\.title) { $0.title.appending(text) })
          _ = try tx.update(SearchedBook.where { $0.id == 2 }, .set(\.name, to: text))
        }
      case 4: try store.writer.run("UPDATE searchedNote SET title = \(text.quotedLiteral) WHERE id <= \(note.id)")
      default:
        isOutside = true
        try other.run(
          "REPLACE INTO searchedNote (id, title, author, bookID) VALUES (\(note.id), \(text.quotedLiteral), \(text.quotedLiteral), 2)"
        )
      }
      if isOutside { #expect(try await store.noticeOutsideChanges()) }
      await store.settled()
      for (query, list) in zip(queries, lists) {
        #expect(list.elements == (try await store.fetch(query)), comment)
      }
      #expect(count.value == (try await store.count(SearchedNote.where { $0.title.folded > "m" })), comment)
      let fresh = try await store.fetch(
        SearchedNote.group { $0.title.folded }.order { $0.title.folded }.select { ($0.title.folded, $0.count()) })
      #expect(sections.sections.map { Array($0.key.utf8) } == fresh.map { Array($0.0.utf8) }, comment)
      #expect(sections.sections.map(\.count) == fresh.map(\.1), comment)
      #expect(long.count == (try await store.count(SearchedNote.query)), comment)
    }
    for query in queries { #expect(try await query.explainLive(store).isMaintained) }
    try await store.expectFolded("SANDERLING_SEED=\(seed)")
  }

  /// The writes that fold texts change no visible value and publish nothing.
  @Test func foldingPublishesNoChange() async throws {
    let store = try await store()
    let list = store.liveList(SearchedNote.order { $0.id })
    _ = list.rows
    await store.settled()
    let other = try folder.patientConnection()
    try other.run("INSERT INTO searchedNote (id, title) VALUES (1, 'Éa')")
    #expect(try await store.noticeOutsideChanges())
    await store.settled()
    #expect(list.elements.map(\.title) == ["Éa"])
    let version = list.rows
    try await store.expectFolded()
    await store.settled()
    #expect(list.rows == version)
  }

  /// A row that an undo restores has its former folds.
  @Test func undoing() async throws {
    let store = try await store()
    try await store.write("given") { tx in
      try tx.insert(contentsOf: (1...20).map { SearchedNote(id: $0, title: "Éa \($0)", author: "Ö") })
    }
    let written = try await store.writeUndoably("change") { tx in
      _ = try tx.update(SearchedNote.where { $0.id <= 10 }, .set(\.title, to: "Ñ"))
      _ = try tx.delete(SearchedNote.where { $0.id > 15 })
    }
    try store.expectFoldedNow()
    let redo = try await store.undo(written.inverse)
    try store.expectFoldedNow()
    #expect(try await store.count(SearchedNote.where { $0.title.folded.hasPrefix("EA") }) == 20)
    try await store.undo(redo)
    try store.expectFoldedNow()
    #expect(try await store.count(SearchedNote.where { $0.title.folded == "n" }) == 10)
  }

  @Test func pagesByFoldedTexts() async throws {
    let store = try await store()
    let seed = SeededGenerator.defaultSeed
    var generator = SeededGenerator(seed: seed)
    let notes = (1...60).map { SearchedNote.random($0, using: &generator) }
    try await store.write("given") { try $0.insert(contentsOf: notes) }
    // The orders are right also while rows wait to be folded.
    for isPending in [false, true] {
      if isPending {
        try folder.patientConnection().run(
          "UPDATE searchedNote SET title = title || 'É', author = NULL WHERE id % 3 = 0")
      }
      for query in [
        SearchedNote.order { ($0.title.folded, $0.id) },
        SearchedNote.order { ($0.author.folded.descending, $0.title.folded, $0.id) },
      ] {
        let all = try await store.fetch(query)
        let pages = store.pages(of: query, size: 7)
        var page = try await pages.first()
        var found = page.rows
        while let cursor = page.next {
          page = try await pages.page(after: cursor)
          found += page.rows
        }
        #expect(found == all, "SANDERLING_SEED=\(seed)")
      }
    }
  }
}
