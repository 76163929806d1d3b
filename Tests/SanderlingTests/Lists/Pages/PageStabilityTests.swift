import Foundation
import Testing

@testable import Sanderling

/// Pages during writes: no row is returned twice and none is left out, if its ordering values don't change in between.
@Suite struct PageStabilityTests {
  private struct Write: Sendable {
    var inserted: [Sheet] = []
    var deleted: [Int] = []
    var moved: [Sheet] = []
    /// The keys of rows whose `stamp` changes. No query here is ordered by `stamp`.
    var stamped: [Int] = []

    static func random(_ present: Set<Int>, _ nextID: Int, using generator: inout SeededGenerator) -> Write {
      var write = Write()
      var free = present
      func take() -> Int? {
        let id = free.sorted().randomElement(using: &generator)
        id.map { _ = free.remove($0) }
        return id
      }
      for number in 0..<Int.random(in: 0...3, using: &generator) {
        write.inserted.append(.random(nextID + number, using: &generator))
      }
      for _ in 0..<Int.random(in: 0...2, using: &generator) { take().map { write.deleted.append($0) } }
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        take().map { write.moved.append(.random($0, using: &generator)) }
      }
      for _ in 0..<Int.random(in: 0...3, using: &generator) { take().map { write.stamped.append($0) } }
      return write
    }

    func run(_ tx: WriteTransaction) throws {
      try tx.insert(contentsOf: inserted)
      for id in deleted { try tx.delete(Sheet.self, key: id) }
      for sheet in moved { try tx.upsert(sheet) }
      for id in stamped { try tx.update(Sheet.where { $0.id == id }, .set(\.stamp, to: Data([7]))) }
    }
  }

  /// Whether two versions of a row have the same place in every order: they differ at most in `stamp`.
  private func isSamePlace(_ lhs: Sheet, _ rhs: Sheet) -> Bool {
    var (lhs, rhs) = (lhs, rhs)
    (lhs.stamp, rhs.stamp) = (nil, nil)
    return lhs == rhs && lhs.weight?.sign == rhs.weight?.sign
  }

  @Test(arguments: [true, false])
  func underWrites(isForward: Bool) async throws {
    let seed = SeededGenerator.defaultSeed
    for number in 0..<UInt64(80) {
      let comment = Testing.Comment(rawValue: "SANDERLING_SEED=\(seed), walk \(number)")
      var generator = SeededGenerator(seed: seed &+ number)
      let store = try await Store.sheets(25, using: &generator)
      // Orderings by values of other rows are left out, since writes to those rows change the values.
      let aggregates = Sheet.fields.binder.sheets
      let orderings = Sheet.randomOrderings(using: &generator).filter {
        ![aggregates.count.term, aggregates.max(\.size).term, Sheet.fields.stamp.term].contains($0.term)
      }
      let pages = store.pages(of: Sheet.query.order(orderings), size: .random(in: 1...5, using: &generator))
      var steady = Dictionary(uniqueKeysWithValues: try await store.fetch(Sheet.query).map { ($0.id, $0) })
      var present = Set(steady.keys)
      var inserted: Set<Int> = []
      var (nextID, writeCount) = (1_000, 0)
      var seen: [Int] = []
      var iterator = (isForward ? pages : pages.reversed()).makeAsyncIterator()
      while let page = try await iterator.next() {
        seen += page.rows.map(\.id)
        // Later writes are left out: they could insert rows faster than pages read them, without end.
        writeCount += 1
        if writeCount > 20 { continue }
        let write = Write.random(present, nextID, using: &generator)
        nextID += write.inserted.count
        try await store.write("between") { try write.run($0) }
        inserted.formUnion(write.inserted.map(\.id))
        present.formUnion(write.inserted.map(\.id))
        present.subtract(write.deleted)
        for id in write.deleted { steady[id] = nil }
        for sheet in write.moved where steady[sheet.id].map({ isSamePlace($0, sheet) }) != true {
          steady[sheet.id] = nil
          inserted.remove(sheet.id)
        }
      }
      let counts = Dictionary(grouping: seen) { $0 }.mapValues(\.count)
      for id in steady.keys { #expect(counts[id] == 1, comment) }
      for id in inserted { #expect((counts[id] ?? 0) <= 1, comment) }
    }
  }

  /// The cursor of a deleted row is still valid, and an empty page leads back to earlier pages.
  @Test func cursorsOfDeletedRowsStayValid() async throws {
    let store = try await Store.todo()
    let pages = store.pages(of: TodoTask.order { $0.title }, size: 2)
    let first = try await pages.first()
    #expect(first.rows.map(\.title) == ["Wash", "bake"])
    let next = try #require(first.next)
    try await store.write("away") { try $0.delete(TodoTask.where { $0.title == "bake" }) }
    #expect(try await pages.page(after: next).rows.map(\.title) == ["dig", "mow"])
    #expect(try await pages.page(before: next).rows.map(\.title) == ["Wash"])

    try await store.write("all after it") { try $0.delete(TodoTask.where { $0.title > "cat" }) }
    let none = try await pages.page(after: next)
    #expect(none.rows.isEmpty && none.next == nil)
    let previous = try #require(none.previous)
    #expect(try await pages.page(before: previous).rows.map(\.title) == ["Wash"])
    // The page before an empty page ends with the row whose cursor led to the empty page.
    let place = try await pages.cursor(of: UUID(15))
    let empty = try await pages.page(after: place)
    #expect(empty.rows.isEmpty)
    #expect(try await pages.page(before: #require(empty.previous)).rows.map(\.title) == ["Wash"])
    let before = try await pages.page(before: place)
    #expect(before.rows.isEmpty && before.previous == nil)
    #expect(try await pages.page(after: #require(before.next)).rows.map(\.title) == ["Wash"])
    try await store.write("the last one") { try $0.delete(TodoTask.query) }
    let nothing = try await pages.first()
    #expect(nothing.rows.isEmpty && nothing.next == nil && nothing.previous == nil && nothing.start == nil)
    #expect(try await pages.last() == nothing)
  }

  /// Rows inserted before the first row and after the last row are found from the ends of a page.
  @Test func newRowsAtTheEnds() async throws {
    let store = try await Store.todo()
    let pages = store.pages(of: TodoTask.order { $0.title }, size: 100)
    let all = try await pages.first()
    #expect(all.next == nil && all.previous == nil)
    try await store.write("more") { tx in
      for title in ["A", "z"] {
        try tx.insert(TodoTask(id: UUID(title == "A" ? 91 : 92), projectID: UUID(1), title: title))
      }
    }
    #expect(try await pages.page(before: #require(all.start)).rows.map(\.title) == ["A"])
    #expect(try await pages.page(after: #require(all.end)).rows.map(\.title) == ["z"])
  }
}
