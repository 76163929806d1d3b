import Foundation
import GRDB
import Testing

@testable import Sanderling

/// A search session shows the rows of a fresh SELECT during random typing, deleting and pasting, with concurrent
/// writes.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct SearchSessionDifferentialTests {
  private struct World {
    let store: Store
    let other: DatabaseQueue
    var generator: SeededGenerator
    let letters: [String]

    mutating func text(_ pieces: ClosedRange<Int>) -> String {
      RandomText.text(of: letters, &generator, pieces: .random(in: pieces, using: &generator))
    }

    mutating func paper() -> SearchedPaper {
      SearchedPaper(
        id: .random(in: 1...60, using: &generator), title: text(0...5),
        body: Bool.random(using: &generator) ? nil : text(0...8),
        isHidden: Int.random(in: 0..<4, using: &generator) == 0)
    }

    /// Writes random rows, by the store or by another connection.
    mutating func write() async throws {
      let paper = paper()
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: try await store.write("delete") { _ = try $0.delete(paper) }
      case 1: try await store.write("upsert") { try $0.upsert(paper) }
      case 2:
        let body = text(0...4)
        try await store.write("update") { tx in
          _ = try tx.update(SearchedPaper.where { $0.id > paper.id }, .set(\.body, to: body))
        }
      case 3:
        try? await store.write("rollback") { tx in
          try tx.upsert(paper)
          throw CancellationError()
        }
      default:
        try other.run(
          "REPLACE INTO searchedPaper (id, title, body) VALUES (\(paper.id), \(paper.title.quotedLiteral), \(paper.title.quotedLiteral))"
        )
        _ = try await store.noticeOutsideChanges()
      }
    }

    /// Returns a random edit of an input, as a person makes it.
    mutating func typed(_ input: String) -> String {
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: return ""
      case 1, 2: return String(input.dropLast())
      case 3:
        var scalars = input.unicodeScalars
        if !scalars.isEmpty { scalars.removeLast() }
        return String(scalars)
      case 4: return text(1...4)
      case 5: return text(1...1) + input
      case 6: return input + [" ", "-", "\"", "#", "+", " -", " \""].randomElement(using: &generator)!
      default: return input + text(1...1)
      }
    }
  }

  @Test func rowsAreThoseOfAFreshQuery() async throws {
    let seed = SeededGenerator.defaultSeed
    for number in 0..<20 as Range<UInt64> {
      let folder = TemporaryFolder()
      let store = try Store(path: folder.path(), schema: [SearchedPaper.self], liveInterval: .zero)
      var generator = SeededGenerator(seed: seed &+ number)
      let letters = (0..<Int.random(in: 2...6, using: &generator)).map { _ in
        RandomText.scalars.randomElement(using: &generator)!
      }
      var world = World(store: store, other: try folder.patientConnection(), generator: generator, letters: letters)
      for _ in 0..<40 {
        let paper = world.paper()
        try await store.write("given") { try $0.upsert(paper) }
      }
      try await check(&world, store, "SANDERLING_SEED=\(seed), store \(number)")
    }
  }

  private func check(_ world: inout World, _ store: Store, _ place: String) async throws {
    let kind: SearchKind = [.words, .words, .substrings, .prefix].randomElement(using: &world.generator)!
    let isPair = kind != .prefix && Bool.random(using: &world.generator)
    let (limit, window) = (
      [3, 20, 200].randomElement(using: &world.generator)!, [4, 25, 200].randomElement(using: &world.generator)!
    )
    let queries = [
      SearchedPaper.query, SearchedPaper.where { !$0.isHidden }.order { ($0.isHidden, $0.id.descending) },
      SearchedPaper.order { $0.title.folded.descending }.limit(limit),
      SearchedPaper.where { $0.id > 20 }.order { $0.id }.limit(limit),
    ]
    func texts(_ fields: SearchedPaper.Fields) -> SearchedTexts {
      isPair ? SearchedTexts(fields.title, fields.body) : SearchedTexts(fields.title)
    }
    var query = queries.randomElement(using: &world.generator)!
    let session = store.searchSession(query, in: kind, window: window, debounce: .zero) { texts($0) }
    var (input, inputs) = ("", 0)
    for step in 0..<60 {
      let settles = Int.random(in: 0..<4, using: &world.generator) > 0
      for _ in 0..<Int.random(in: 1...(settles ? 1 : 4), using: &world.generator) {
        input = world.typed(input)
        session.input = input
        inputs += 1
      }
      if Int.random(in: 0..<4, using: &world.generator) == 0 { try await world.write() }
      if Int.random(in: 0..<20, using: &world.generator) == 0 {
        query = queries.randomElement(using: &world.generator)!
        session.replace(query)
      }
      await session.settled()
      var fresh = TextSearch(input, in: kind).matchesAll ? query : query.filter { texts($0).matches(input, in: kind) }
      // Without an ordering, live results and searches sort rows by their keys.
      if fresh.statement.orderings.isEmpty { fresh = fresh.order { $0.id } }
      let rows = try await store.fetch(fresh)
      let comment: Testing.Comment = "\(place), step \(step), \(kind), \(input.debugDescription)"
      #expect(session.elements == Array(rows.prefix(window)) && session.state.isCurrent, comment)
      #expect(session.hasMore == (rows.count > window) && session.current.input == input, comment)
    }
    // Some inputs must be answered from memory. Otherwise the test proves little.
    #expect(session.readCount < inputs + 60)
  }
}
