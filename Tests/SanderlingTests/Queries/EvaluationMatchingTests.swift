import Foundation
import Sanderling
import SanderlingSQL
import Testing

@Record
struct EvaluationShelf {
  var id: Int64
  var label: String
  static let books = hasMany(EvaluationBook.self, by: \.shelfID)
}

@Record
struct EvaluationBook {
  var id: Int64?
  var shelfID: Int64
  @Stored(collation: .nocase) var title: String
  var rating: Double?
  var isLent = false
  static let shelf = belongsTo(EvaluationShelf.self, by: \.shelfID)
}

/// Records in memory match and sort as they do in the database.
@Suite struct EvaluationMatchingTests {
  let emma = EvaluationBook(id: 1, shelfID: 1, title: "emma", rating: 4)
  let dune = EvaluationBook(id: 2, shelfID: 1, title: "Dune", rating: nil, isLent: true)
  let ulysses = EvaluationBook(id: nil, shelfID: 2, title: "Ulysses", rating: 2.5)

  @Test func conditionsChooseRecords() throws {
    let condition = Condition<EvaluationBook> { !$0.isLent && $0.rating > 3 }
    #expect(try condition.matches(emma))
    #expect(try !condition.matches(dune))
    #expect(try condition.negated.matches(ulysses))
    #expect(try Condition<EvaluationBook>.all([]).matches(dune))
    #expect(try !Condition<EvaluationBook>.any([]).matches(dune))
    #expect(try Condition<EvaluationBook> { $0.title == "EMMA" }.matches(emma))
    #expect(try Condition<EvaluationBook> { $0.isLent }.matches(dune))
    #expect(try Condition<EvaluationBook> { $0.title.contains("un") && $0.rating == nil }.matches(dune))
  }

  @Test func unknownIsNotTrue() throws {
    #expect(try !Condition<EvaluationBook> { $0.rating > 3 }.matches(dune))
    #expect(try !Condition<EvaluationBook> { !($0.rating > 3) }.matches(dune))
  }

  @Test func queriesChooseAndSortRecords() throws {
    let query = EvaluationBook.where { $0.shelfID == 1 }.order { ($0.rating.descending.nullsFirst, $0.title) }.limit(1)
    #expect(try [emma, dune, ulysses].filter(query.matches).map(\.title) == ["emma", "Dune"])
    let sorted = try [emma, ulysses, dune].sorted(by: query.areInIncreasingOrder)
    #expect(sorted.map(\.title) == ["Dune", "emma", "Ulysses"])
    let byTitle = EvaluationBook.order { $0.title }
    let titles = try [ulysses, emma, dune].sorted(by: byTitle.areInIncreasingOrder).map(\.title)
    #expect(titles == ["Dune", "emma", "Ulysses"])
    #expect(try !byTitle.areInIncreasingOrder(emma, emma))
    // Without an ordering, records are sorted by their keys.
    #expect(try EvaluationBook.query.areInIncreasingOrder(emma, dune))
    #expect(try !EvaluationBook.query.areInIncreasingOrder(dune, emma))
  }

  @Test func conditionsThatNeedTheDatabaseAreRefused() {
    let conditions: [Condition<EvaluationBook>] = [
      Condition { $0.shelf.label == "A" },
      Condition { $0.shelf.books.count > 1 },
      Condition { $0.shelfID.in(EvaluationShelf.select { $0.id }) },
    ]
    for condition in conditions {
      #expect(throws: StoreError.self) { try condition.matches(emma) }
      #expect(throws: StoreError.self) { try EvaluationBook.where(condition).matches(emma) }
    }
    #expect(throws: StoreError.self) { try EvaluationBook.order { $0.shelf.label }.areInIncreasingOrder(emma, dune) }
    #expect(throws: StoreError.self) { try EvaluationBook.group { $0.shelfID }.matches(emma) }
  }

  @Test func overflowIsTheErrorOfSQLite() {
    let least = EvaluationBook(id: 1, shelfID: .min, title: "")
    #expect(throws: StoreError.database(code: 1, message: "integer overflow", sql: nil)) {
      try Condition<EvaluationBook> { $0.shelfID.magnitude > 1 }.matches(least)
    }
  }

  @Test func valuesThatCannotBeStoredAreNamed() {
    let book = EvaluationBook(id: 1, shelfID: 1, title: "", rating: .nan)
    #expect(throws: StoreError.self) { try Condition<EvaluationBook> { $0.rating > 1 }.matches(book) }
    #expect(throws: StoreError.self) { try Condition<EvaluationBook> { $0.rating > .nan }.matches(emma) }
  }

  @Test func obstaclesAreNamed() {
    let known: [(Term?, known: String?, unknown: String?)] = [
      (Condition<EvaluationBook> { $0.title == "a" }.term, nil, nil),
      (Condition<EvaluationBook> { $0.shelf.label == "a" }.term, nil, nil),
      (
        Condition<EvaluationBook> { !$0.isLent || $0.shelf.books.count > 1 }.term, nil,
        "it aggregates the rows that an association leads to"
      ),
      (
        Condition<EvaluationBook> { $0.shelfID.in(EvaluationShelf.select { $0.id }) }.term,
        "it looks for a value in the result of another query", "it looks for a value in the result of another query"
      ),
      (
        .unary(.not, .raw([.sql("random()")])), "it contains SQL written by hand, which only SQLite understands",
        "it contains SQL written by hand, which only SQLite understands"
      ),
      (
        .summary(.count, nil), "it aggregates the rows of the query itself",
        "it aggregates the rows of the query itself"
      ),
      (.function(.absolute, []), "abs() does not take 0 arguments", "abs() does not take 0 arguments"),
    ]
    for (term, whenKnown, whenUnknown) in known {
      #expect(term?.evaluationObstacle(aggregatesAreKnown: true) == whenKnown)
      #expect(term?.evaluationObstacle == whenUnknown)
    }
  }

  /// The values of aggregates come from the context, as in the live engine.
  @Test func aggregatesComeFromTheContext() throws {
    struct Counts: EvaluationContext {
      func value(of column: ColumnTerm) -> StorageValue { .integer(1) }
      func value(of aggregate: AggregateTerm) -> StorageValue { .integer(7) }
    }
    let condition = Condition<EvaluationShelf> { $0.books.count > 5 && $0.id == 1 }
    #expect(try TermEvaluator(Counts()).isTrue(#require(condition.term)))
    #expect(throws: EvaluationError.self) {
      try TermEvaluator(EvaluationRow(values: [])).isTrue(#require(condition.term))
    }
  }

  @Test func columnsConvertStoredValues() throws {
    #expect(try Affinity.integer.stored(.text(" 12 ")) == .integer(12))
    #expect(try Affinity.integer.stored(.text("1.50")) == .real(1.5))
    #expect(try Affinity.integer.stored(.real(3)) == .integer(3))
    #expect(try Affinity.integer.stored(.real(-0x1p63)) == .real(-0x1p63))
    #expect(try Affinity.integer.stored(.text("12x")) == .text("12x"))
    #expect(try Affinity.text.stored(.integer(12)) == .text("12"))
    #expect(try Affinity.text.stored(.real(0.1)) == .text("0.1"))
    #expect(try Affinity.real.stored(.text("12")) == .real(12))
    #expect(try Affinity.blob.stored(.text("12")) == .text("12"))
  }
}
