import Foundation
import Testing

@testable import Sanderling

/// Pages of random queries contain the rows of one plain fetch, in both directions and from every position.
@Suite struct PageDifferentialTests {
  /// Runs `body` with stores of random rows.
  private func inStores(
    _ count: Int, _ body: (inout SeededGenerator, Store, Testing.Comment) async throws -> Void
  ) async throws {
    let seed = SeededGenerator.defaultSeed
    for number in 0..<UInt64(count) {
      var generator = SeededGenerator(seed: seed &+ number)
      let store = try await Store.sheets(Int.random(in: 0...30, using: &generator), using: &generator)
      try await body(&generator, store, "SANDERLING_SEED=\(seed), store \(number)")
    }
  }

  @Test func records() async throws {
    try await inStores(100) { generator, store, comment in
      var query = Sheet.query.order(Sheet.randomOrderings(using: &generator))
      if Bool.random(using: &generator) { query = query.where { $0.isOpen || $0.binder.rank == 1 } }
      try await store.expectPages(of: query, size: .random(in: 1...6, using: &generator), comment)
    }
  }

  @Test func tuplesAndAssociatedRecords() async throws {
    try await inStores(30) { generator, store, comment in
      let query = Sheet.query.order(Sheet.randomOrderings(using: &generator))
      let size = Int.random(in: 1...6, using: &generator)
      try await store.expectPages(of: query.select { ($0.id, $0.weight, $0.binder.sheets.count) }, size: size, comment)
      try await store.expectPages(of: query.select { ($0, $0.binder) }, size: size, comment)
    }
  }

  @Test func keysOfTwoColumns() async throws {
    try await inStores(30) { generator, store, comment in
      let fields = Mark.fields
      let keys = [
        fields.sheetID.ascending, fields.color.ascending, fields.color.descending, fields.strength.ascending,
        fields.strength.descending.nullsFirst, fields.color.collated(.binary).ascending,
      ]
      let orderings = (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
        keys.randomElement(using: &generator)
      }
      try await store.expectPages(
        of: Mark.query.order(orderings), size: .random(in: 1...6, using: &generator), comment)
    }
  }

  @Test func groups() async throws {
    try await inStores(40) { generator, store, comment in
      let fields = Sheet.fields
      let byGroup: [Ordering] = [
        fields.binderID.ascending, Ordering(term: fields.isOpen.term),
        fields.count().descending, fields.size.max().ascending, fields.binder.label.ascending.nullsLast,
        fields.count(where: fields.isOpen).ascending, (-fields.binderID).descending,
      ]
      let orderings = (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
        byGroup.randomElement(using: &generator)
      }
      let query = Sheet.group { ($0.binderID, $0.isOpen) }.having { $0.count() > 0 }.order(orderings)
        .select { ($0.binderID, $0.isOpen, $0.count(), $0.size.max()) }
      try await store.expectPages(of: query, size: .random(in: 1...4, using: &generator), comment)
      let names = Sheet.group { $0.name }.order { $0.name.descending }.select { $0.count() }
      try await store.expectPages(of: names.select { ($0.name.lowercased(), $0.count()) }, size: 2, comment)
    }
  }

  @Test func distinctValues() async throws {
    try await inStores(30) { generator, store, comment in
      let fields = Sheet.fields
      let keys = [fields.size.ascending, fields.size.descending.nullsFirst, fields.title.ascending.nullsLast]
      let orderings = (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in
        keys.randomElement(using: &generator)
      }
      let query = Sheet.query.order(orderings).select { ($0.title, $0.size) }.distinct()
      try await store.expectPages(of: query, size: .random(in: 1...4, using: &generator), comment)
    }
  }

  /// Orders by random expressions: aggregates, traversals and calculations.
  @Test func expressions() async throws {
    let seed = SeededGenerator.defaultSeed
    for number in 0..<UInt64(25) {
      var generator = SeededGenerator(seed: seed &+ number)
      let world = RandomWorld(using: &generator)
      var expressions = ExpressionGenerator(world: world, generator: generator)
      let store = try await world.store()
      for query in 0..<6 {
        let comment = Testing.Comment(rawValue: "SANDERLING_SEED=\(seed), world \(number), query \(query)")
        let condition = expressions.nodeCondition(2)
        let orderings = (0..<expressions.pick(3)).map { _ in DifferentialTests().key(&expressions).ordering }
        let number = expressions.nodeNumber(2)
        let rows = Node.where(condition.field).order(orderings)
        let size = 1 + expressions.pick(4)
        try await store.expectPages(of: rows, size: size, comment)
        try await store.expectPages(of: rows.select { ($0.id, number.field($0), $0.leaves.count) }, size: size, comment)
      }
    }
  }

  /// Pages that begin at any row's key contain this row and the rows around it.
  @Test func fromAnyRow() async throws {
    try await inStores(20) { generator, store, comment in
      let query = Sheet.query.order(Sheet.randomOrderings(using: &generator))
      let size = Int.random(in: 1...7, using: &generator)
      let pages = store.pages(of: query, size: size)
      let whole = try await store.fetch(query.order(query.statement.completeOrderings))
      for (row, sheet) in whole.enumerated() {
        let start = try await pages.page(startingAt: sheet.id)
        #expect(start.rows.map(line) == whole[row..<min(row + size, whole.count)].map(line), comment)
        let first = max(0, row - (size - 1) / 2)
        let last = min(whole.count, first + size)
        let around = try await pages.page(around: sheet.id)
        #expect(around.rows.map(line) == whole[first..<last].map(line), comment)
        #expect((around.previous == nil) == (first == 0 && size > 2), comment)
        #expect((around.next == nil) == (last == whole.count), comment)
        #expect(try await pages.cursor(of: sheet.id) == start.start, comment)
        let next = try await pages.page(after: pages.cursor(of: sheet.id))
        #expect(next.rows.first.map(line) == (row + 1 < whole.count ? line(whole[row + 1]) : nil), comment)
      }
    }
  }

  /// Rows of pages have the same associated records as the rows of a plain fetch.
  @Test func prefetchedRows() async throws {
    try await inStores(20) { generator, store, comment in
      let orderings = Sheet.randomOrderings(using: &generator)
      let query = Sheet.query.order(orderings)
      let total = query.order(query.statement.completeOrderings)
      let whole = try await store.fetch(total.with(Sheet.binder.prefetch { $0.with(Binder.sheets.prefetch()) })).map(
        line)
      let pages = store.pages(of: query.with(Sheet.binder.prefetch { $0.with(Binder.sheets.prefetch()) }), size: 4)
      var rows: [String] = []
      for try await page in pages { rows += page.rows.map(line) }
      #expect(rows == whole, comment)
      rows = []
      for try await page in pages.reversed() { rows = page.rows.map(line) + rows }
      #expect(rows == whole, comment)
    }
  }
}
