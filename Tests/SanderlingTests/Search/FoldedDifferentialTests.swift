import Foundation
import GRDB
import Testing

@testable import Sanderling

/// After random writes by the store and other connections, queries by folded texts return the rows that a scan of all
/// rows finds.
@Suite struct FoldedDifferentialTests {
  private struct World {
    let store: Store
    let other: DatabaseQueue
    var generator = SeededGenerator()
    private var nextID: Int

    /// Makes a generator of random writes.
    ///
    /// - Parameter firstID: An id larger than those of all existing notes.
    init(_ store: Store, _ other: DatabaseQueue, firstID: Int = 1, seed: UInt64) {
      nextID = firstID
      self.store = store
      self.other = other
      generator = SeededGenerator(seed: seed)
    }

    private mutating func newNote() -> SearchedNote {
      nextID += 1
      return .random(nextID, using: &generator)
    }

    private mutating func oldID() -> Int { .random(in: 1...nextID, using: &generator) }

    private mutating func text() -> String { SearchedNote.texts.randomElement(using: &generator)! }

    /// Returns a random statement of a program that doesn't know of folds.
    mutating func plainSQL() -> String {
      let (id, text) = (oldID(), text().quotedLiteral)
      nextID += 1
      return switch Int.random(in: 0..<7, using: &generator) {
      case 0: "INSERT INTO searchedNote (id, title, bookID) VALUES (\(nextID), \(text), 1)"
      case 1: "UPDATE searchedNote SET title = \(text) WHERE id = \(id)"
      case 2:
        "UPDATE searchedNote SET author = \(text), title = title || author WHERE author IS NOT NULL AND id > \(id)"
      case 3: "REPLACE INTO searchedNote (id, title, author) VALUES (\(id), \(text), \(text))"
      case 4: "DELETE FROM searchedNote WHERE id = \(id)"
      case 5: "UPDATE searchedBook SET \"book name\" = \(text) WHERE id = \(id % 3 + 1)"
      default: "UPDATE OR REPLACE searchedNote SET id = id + 1, author = NULL WHERE id = \(id) AND id < \(nextID - 1)"
      }
    }

    /// Writes random rows through the store or another connection.
    mutating func write() async throws {
      let (note, second, id, text, sql) = (newNote(), newNote(), oldID(), text(), plainSQL())
      switch Int.random(in: 0..<9, using: &generator) {
      case 0: try await store.write("insert") { try $0.insert(contentsOf: [note, second]) }
      case 1:
        try await store.write("upsert") { tx in
          try tx.upsert(SearchedNote(id: id, title: note.title, author: note.author))
          try tx.upsert(SearchedNote(id: id + 1, title: text, author: text), updating: \.author)
        }
      case 2:
        try await store.write("update") { tx in
          guard try tx.fetch(SearchedNote.self, key: id) != nil else { return }
          try tx.update(SearchedNote.self, key: id) { $0.title = text }
        }
      case 3:
        try await store.write("expression") { tx in
          _ = try tx.update(
            SearchedNote.where { $0.title.folded.hasPrefix(text) }, .set(\.author) { $0.title.appending("É").optional })
        }
      case 4:
        try await store.write("value") { _ = try $0.update(SearchedNote.where { $0.id > id }, .set(\.title, to: text)) }
      case 5: try await store.write("SQL") { try $0.execute("\(raw: sql)") }
      case 6: try store.writer.run(sql)
      case 7:
        // A write that is rolled back leaves nothing, and the other writes are folded.
        try? await store.write("rollback") { tx in
          try tx.insert(note)
          try? tx.savepoint {
            try tx.execute("\(raw: sql)")
            throw CancellationError()
          }
          try tx.execute("\(raw: sql)")
          if id.isMultiple(of: 2) { throw CancellationError() }
        }
      default: try other.run(sql)
      }
    }

    /// Compares the results of queries with the rows that a scan of the same snapshot finds, while another connection
    /// may write.
    mutating func check(_ comment: Testing.Comment) async throws {
      let (text, sql, writes) = (text(), plainSQL(), Bool.random(using: &generator))
      let (fold, other) = (TextFold.fold(text), other)
      try await store.read { tx in
        let notes = try tx.fetch(SearchedNote.query)
        let names = Dictionary(uniqueKeysWithValues: try tx.fetch(SearchedBook.query).map { ($0.id, $0.name) })
        if writes { try other.run(sql) }
        func expect(
          _ condition: (SearchedNote.Fields) -> Field<Bool>, _ isIncluded: (SearchedNote) -> Bool,
          line: Int = #line
        ) throws {
          let found = try tx.fetch(SearchedNote.where(condition).order { $0.id }).map(\.id)
          let wanted = notes.filter(isIncluded).map(\.id).sorted()
          if found != wanted {
            Issue.record("\(comment), line \(line), \(text.debugDescription): \(found), not \(wanted)")
          }
        }
        try expect({ $0.title.folded == text }, { TextFold.fold($0.title).isIdentical(to: fold) })
        try expect({ $0.title.folded != text }, { !TextFold.fold($0.title).isIdentical(to: fold) })
        try expect({ $0.author.folded == text }, { $0.author.map { TextFold.fold($0).isIdentical(to: fold) } ?? false })
        try expect({ $0.author.folded == nil }, { $0.author == nil })
        try expect(
          { $0.title.folded.in([text, "ea"]) },
          { [fold, "ea"].contains { [title = TextFold.fold($0.title)] in title.isIdentical(to: $0) } })
        try expect({ $0.title.folded.hasPrefix(text) }, { TextFold.fold($0.title).utf8.starts(with: fold.utf8) })
        try expect({ $0.title.folded.contains(text) }, { TextFold.fold($0.title).isFound(fold) })
        try expect({ $0.title.folded <= text }, { !fold.precedes(TextFold.fold($0.title)) })
        try expect(
          { $0.book.name.folded == text && $0.title.folded > "b" },
          { note in
            let name = note.bookID.flatMap { names[$0] }.map { TextFold.fold($0) }
            return name.map { $0.isIdentical(to: fold) } ?? false && "b".precedes(TextFold.fold(note.title))
          })
        let ordered = try tx.fetch(SearchedNote.order { ($0.author.folded, $0.title.folded.descending, $0.id) }).map(
          \.id)
        #expect(ordered == notes.sorted(by: SearchedNote.precedes).map(\.id), comment)
        let groups = try tx.fetch(SearchedNote.group { $0.title.folded }.select { ($0.title.folded, $0.count()) })
        let counts = Dictionary(grouping: notes) { Array(TextFold.fold($0.title).utf8) }.mapValues(\.count)
        #expect(Dictionary(uniqueKeysWithValues: groups.map { (Array($0.0.utf8), $0.1) }) == counts, comment)
      }
    }
  }

  @Test func randomWritesAreFound() async throws {
    let seed = SeededGenerator.defaultSeed
    for number in 0..<12 as Range<UInt64> {
      let folder = TemporaryFolder()
      let store = try folder.store(schema: searchSchema)
      try await store.write("books") { tx in
        for id in 1...3 { try tx.insert(SearchedBook(id: id, name: SearchedNote.texts[id])) }
      }
      let other = try folder.patientConnection()
      var world = World(store, other, seed: seed &+ number)
      for step in 0..<40 {
        try await world.write()
        try await world.check("SANDERLING_SEED=\(seed), store \(number), step \(step)")
      }
      _ = try await store.noticeOutsideChanges()
      _ = try await store.count(SearchedNote.where { $0.title.folded == "x" || $0.author.folded == "x" })
      try await store.expectFolded("SANDERLING_SEED=\(seed), store \(number)")
    }
  }

  /// The store is closed and reopened between another connection's writes and their folding.
  @Test func reopenedStoresFoldOutsideWrites() async throws {
    let seed = SeededGenerator.defaultSeed
    let folder = TemporaryFolder()
    let other = try folder.patientConnection()
    var generator = SeededGenerator(seed: seed)
    for round in 0..<12 {
      let store = try folder.store(schema: searchSchema)
      if round == 0 {
        try await store.write("books") { tx in
          for id in 1...3 { try tx.insert(SearchedBook(id: id, name: SearchedNote.texts[id])) }
        }
      }
      var world = World(store, other, firstID: round * 100 + 1, seed: generator.next())
      for _ in 0..<6 { try await world.write() }
      try await world.check("SANDERLING_SEED=\(seed), round \(round)")
      try store.close()
      try other.run(world.plainSQL())
    }
    try await folder.store(schema: searchSchema).expectFolded("SANDERLING_SEED=\(seed)")
  }
}

extension SearchedNote {
  /// Whether a note sorts before another: by the folded author, NULL first, then by the folded title in descending
  /// order, then by the key.
  fileprivate static func precedes(_ lhs: SearchedNote, _ rhs: SearchedNote) -> Bool {
    let authors = (lhs.author.map { TextFold.fold($0) }, rhs.author.map { TextFold.fold($0) })
    switch authors {
    case (nil, .some): return true
    case (.some, nil): return false
    case (let left?, let right?) where !left.isIdentical(to: right): return left.precedes(right)
    default: break
    }
    let titles = (TextFold.fold(lhs.title), TextFold.fold(rhs.title))
    return titles.0.isIdentical(to: titles.1) ? lhs.id < rhs.id : titles.1.precedes(titles.0)
  }
}

extension String {
  fileprivate func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

  fileprivate func isFound(_ other: String) -> Bool {
    let (text, needle) = (Array(utf8), Array(other.utf8))
    return needle.isEmpty || text.indices.contains { text[$0...].starts(with: needle) }
  }
}
