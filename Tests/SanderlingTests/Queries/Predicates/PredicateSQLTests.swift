import Foundation
import Testing

@testable import Sanderling

/// A predicate has the SQL of the same condition in a typed query, and so its indexes.
@Suite struct PredicateSQLTests {
  let now = Date(at: 100)
  let rank: Int? = 3

  func expectSame(
    _ predicate: Predicate<Chore>, _ typed: Selection<Chore, Chore>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(
      try Chore.where(predicate).sql.description == typed.sql.description, sourceLocation: sourceLocation)
  }

  @Test func comparisons() throws {
    let (now, rank, high) = (now, rank, Level.high)
    try expectSame(#Predicate { $0.size > 3 && $0.weight <= 2 }, Chore.where { $0.size > 3 && $0.weight <= 2 })
    try expectSame(#Predicate { 3 < $0.size }, Chore.where { $0.size > 3 })
    try expectSame(#Predicate { !$0.isDone }, Chore.where { !$0.isDone })
    try expectSame(#Predicate { $0.isDone || $0.isFun == true }, Chore.where { $0.isDone || $0.isFun == true })
    try expectSame(#Predicate { !($0.size == 2) }, Chore.where { !($0.size == 2) })
    try expectSame(#Predicate { $0.rank == rank }, Chore.where { $0.rank == rank })
    try expectSame(#Predicate { $0.rank != rank }, Chore.where { $0.rank.isDistinct(from: rank) })
    try expectSame(#Predicate { $0.due == nil }, Chore.where { $0.due == nil })
    try expectSame(#Predicate { $0.due != nil }, Chore.where { $0.due != nil })
    try expectSame(#Predicate { $0.due! < now }, Chore.where { $0.due < now })
    try expectSame(#Predicate { if let due = $0.due { due < now } else { false } }, Chore.where { $0.due < now })
    try expectSame(#Predicate { ($0.due ?? now) < now }, Chore.where { ($0.due ?? now) < now })
    try expectSame(#Predicate { $0.made == now }, Chore.where { $0.made == now })
    try expectSame(#Predicate { $0.level == high }, Chore.where { $0.level == .high })
    try expectSame(#Predicate { $0.size + $0.size * 2 > -$0.size }, Chore.where { $0.size + $0.size * 2 > -$0.size })
  }

  @Test func setsRangesAndTexts() throws {
    let (sizes, ranks) = ([1, 2, 3], [1, nil] as Set<Int?>)
    try expectSame(#Predicate { sizes.contains($0.size) }, Chore.where { $0.size.in(sizes) })
    try expectSame(#Predicate { ranks.contains($0.rank) }, Chore.where { $0.rank.in(ranks) })
    try expectSame(#Predicate { (1...5).contains($0.size) }, Chore.where { $0.size.in(1...5) })
    try expectSame(#Predicate { (1..<5).contains($0.size) }, Chore.where { $0.size.in(1..<5) })
    try expectSame(#Predicate { $0.title.contains("x") }, Chore.where { $0.title.contains("x") })
    try expectSame(#Predicate { $0.title.starts(with: "x") }, Chore.where { $0.title.hasPrefix("x") })
    try expectSame(#Predicate { $0.title.count > 2 }, Chore.where { $0.title.length > 2 })
    try expectSame(#Predicate { $0.title.isEmpty }, Chore.where { $0.title == "" })
  }

  @Test func associations() throws {
    try expectSame(#Predicate { $0.house?.name == "x" }, Chore.where { $0.house.name == "x" })
    try expectSame(#Predicate { $0.house?.parent?.name == "x" }, Chore.where { $0.house.parent.name == "x" })
    try expectSame(#Predicate { $0.house == nil }, Chore.where { !$0.house.exists })
    try expectSame(
      #Predicate { $0.steps.contains { !$0.isDone && $0.text == "x" } },
      Chore.where { $0.steps.contains { !$0.isDone && $0.text == "x" } })
    try expectSame(#Predicate { $0.steps.allSatisfy { $0.isDone } }, Chore.where { $0.steps.allSatisfy { $0.isDone } })
    try expectSame(
      #Predicate { $0.steps.filter { $0.isDone }.count > 2 }, Chore.where { $0.steps.filter { $0.isDone }.count > 2 })
    try expectSame(
      #Predicate { chore in chore.house?.chores.contains { $0.size > chore.size } ?? false },
      Chore.where { chore in chore.house.chores.contains { $0.size > chore.size } })
    try expectSame(
      #Predicate { chore in chore.steps.contains { step in chore.steps.contains { $0.text == step.text } } },
      Chore.where { chore in chore.steps.contains { step in chore.steps.contains { $0.text == step.text } } })
  }

  /// Parts without a row are evaluated in Swift, and leave no trace in SQL.
  @Test func constants() throws {
    let (text, isOn, words) = ("", true, ["a", "b"])
    try expectSame(#Predicate { text.isEmpty || $0.title == text }, Chore.query)
    try expectSame(#Predicate { isOn && $0.isDone }, Chore.where { $0.isDone })
    try expectSame(#Predicate { isOn ? $0.isDone : $0.size > 2 }, Chore.where { $0.isDone })
    try expectSame(
      #Predicate { chore in words.contains { chore.title.contains($0) } },
      Chore.where { $0.title.contains("a") || $0.title.contains("b") })
    try expectSame(.false, Chore.where(.any([])))
  }

  /// The key of a record decides, in the column that refers to it.
  @Test func records() throws {
    let house = House(id: 7, parentID: nil, name: "", rooms: 1)
    try expectSame(#Predicate { $0.house == house }, Chore.where { $0.houseID == 7 })
    #expect(try Chore.where(format: "house == %@", arguments: [house]).sql == Chore.where { $0.houseID == 7 }.sql)
    #expect(try House.where(format: "SELF == %@", arguments: [house]).sql == House.where { $0.id == 7 }.sql)
  }

  @Test func indexesServePredicates() async throws {
    let (store, now) = (try Store(inMemory: [House.self, Chore.self, Step.self]), now)
    let byDue = Chore.where(#Predicate { if let due = $0.due { due < now } else { false } })
    let byTitle = try Chore.where(format: "title LIKE 'xy*'", arguments: [])
    let plans = try await (store.plan(byDue.sql), store.plan(byTitle.sql))
    #expect(plans.0 == ["SEARCH chore USING INDEX chore_on_due (due<?)"])
    #expect(plans.1 == ["SEARCH chore USING INDEX chore_on_title (title>? AND title<?)"])
  }

  @Test func conditionsAndProjections() throws {
    let open = Condition(#Predicate<Chore> { !$0.isDone })
    #expect(try Chore.where(open.and(Condition { $0.size > 2 })).sql == Chore.where { !$0.isDone && $0.size > 2 }.sql)
    #expect(Chore.query.filter(#Predicate { $0.isDone }) == Chore.where { $0.isDone })
    #expect(try Chore.order(SortDescriptor(\.due, order: .reverse)).sql == Chore.order { $0.due.descending }.sql)
    #expect(try Chore.order([SortDescriptor(\.house?.name)]).sql == Chore.order { $0.house.name }.sql)
    #expect(Chore.query.order([]) == Chore.query)
  }
}
