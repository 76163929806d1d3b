import Foundation
import Testing

@testable import Sanderling

/// Foundation and SQLite find the same rows by the same predicate.
@Suite struct PredicateDifferentialTests {
  /// Runs `body` in random worlds, which a seed repeats.
  func inWorlds(
    _ count: Int, _ body: (inout SeededGenerator, HouseWorld, Store, Testing.Comment) async throws -> Void
  ) async throws {
    let seed = SeededGenerator.defaultSeed
    for number in 0..<UInt64(count) {
      var generator = SeededGenerator(seed: seed &+ number)
      let world = HouseWorld(using: &generator)
      let store = try await world.store()
      try await body(&generator, world, store, "SANDERLING_SEED=\(seed), world \(number)")
    }
  }

  func expectSame(
    _ predicate: Predicate<Chore>, _ world: HouseWorld, _ store: Store, _ comment: Testing.Comment
  ) async throws -> Int {
    let query = Chore.where(predicate).order { $0.id }
    let expected = try HouseWorld.$current.withValue(world) { try world.chores.filter { try predicate.evaluate($0) } }
    let (found, sql) = (try await store.fetch(query), try query.sql)
    #expect(found.map(\.id) == expected.map(\.id), "\(comment.rawValue)\n\(sql)\n\(predicate)")
    return expected.count
  }

  @Test func randomPredicates() async throws {
    var (some, all) = (0, 0)
    try await inWorlds(30) { generator, world, store, comment in
      var predicates = PredicateGenerator(generator: generator)
      for number in 0..<60 {
        let found = try await expectSame(predicates.predicate(number % 4), world, store, comment)
        if found > 0 { some += 1 }
        if found == world.chores.count { all += 1 }
      }
    }
    // Predicates that find nothing or everything would test little.
    #expect(some > 900)
    #expect(all < 900)
  }

  /// The macro's own expansions: optional chains, `if let`, conditionals, nested closures and captured values.
  @Test func writtenPredicates() async throws {
    try await inWorlds(20) { generator, world, store, comment in
      let (text, number, isOn) = (generator.element(HouseWorld.texts), generator.next(5) - 2, generator.chance(0.5))
      let (date, none, numbers, high, inside) = (
        Date(at: Double(number)), nil as Int?, [1, 2, number], Level.high, Kind.inside
      )
      let (house, levels, words, infinity) = (world.houses[0], Set([Level.low, .high]), ["a", text], Double.infinity)
      let written: [Predicate<Chore>] = [
        #Predicate { $0.house?.name == text },
        #Predicate { $0.house?.name != text },
        #Predicate { $0.house?.parent?.name.contains("a") == true },
        #Predicate { !($0.house?.parent?.name.contains("a") == true) },
        #Predicate { if let due = $0.due { due < date } else { isOn } },
        #Predicate { chore in
          if let due = chore.due, let rank = chore.rank { due < date && rank > number } else { false }
        },
        #Predicate { !($0.due.flatMap { $0 < date } ?? isOn) },
        #Predicate { ($0.due ?? date) >= date },
        #Predicate { $0.due == nil || $0.due == date },
        #Predicate { $0.rank == none },
        #Predicate { $0.rank != none && $0.rank != number },
        #Predicate { text.isEmpty || $0.title.contains(text) },
        #Predicate { isOn ? $0.isDone : $0.size > number },
        #Predicate { ($0.isDone ? $0.size : $0.rank ?? 0) > number },
        #Predicate { numbers.contains($0.size) && !numbers.contains($0.rank ?? 5) },
        #Predicate { levels.contains($0.level) },
        #Predicate { $0.level.rawValue >= 1 },
        #Predicate { $0.level == high },
        #Predicate { (0...2).contains($0.size) || (number..<3).contains($0.size) },
        #Predicate { ($0.size...5).contains(number) },
        #Predicate { chore in words.contains { chore.title.contains($0) } },
        #Predicate { chore in words.allSatisfy { chore.title.starts(with: $0) } },
        #Predicate { $0.steps.contains { !$0.isDone && $0.text.contains(text) } },
        #Predicate { $0.steps.allSatisfy { $0.minutes != nil } },
        #Predicate { $0.steps.filter { ($0.minutes ?? 0) > number }.count >= 1 },
        #Predicate { $0.steps.filter { $0.isDone }.allSatisfy { $0.text.isEmpty } },
        #Predicate { !$0.steps.isEmpty && $0.steps.count < 3 },
        #Predicate { chore in chore.house?.chores.contains { $0.size > chore.size } ?? false },
        #Predicate { chore in
          chore.house.flatMap { $0.chores.allSatisfy { $0.steps.count <= chore.steps.count } } == true
        },
        #Predicate { $0.house == house },
        #Predicate { $0.house != house },
        #Predicate { $0.house == nil },
        #Predicate { -$0.size * 2 > $0.size % 3 },
        #Predicate { $0.weight / 2 < $0.weight * $0.weight },
        #Predicate { !($0.weight - infinity < 0) },
        #Predicate { $0.isFun ?? $0.isDone },
        #Predicate { $0.isFun == nil || $0.isFun! },
        #Predicate { ($0.isDone == true) != ($0.isFun == true) },
        #Predicate { $0.kind == inside || $0.kind?.rawValue == "outside" },
        #Predicate { $0.made == date },
      ]
      for (number, predicate) in written.enumerated() {
        _ = try await expectSame(predicate, world, store, "\(comment.rawValue), predicate \(number)")
      }
    }
  }

  @Test func sortDescriptors() async throws {
    try await inWorlds(10) { _, world, store, comment in
      let orders: [[SortDescriptor<Chore>]] = [
        [SortDescriptor(\.due), SortDescriptor(\.title, order: .reverse), SortDescriptor(\.id)],
        [SortDescriptor(\.rank, order: .reverse), SortDescriptor(\.weight), SortDescriptor(\.id)],
        [SortDescriptor(\.house?.name), SortDescriptor(\.note, comparator: .lexical), SortDescriptor(\.id)],
      ]
      for order in orders {
        let expected = HouseWorld.$current.withValue(world) { world.chores.sorted(using: order) }
        let found = try await store.fetch(Chore.order(order))
        #expect(found.map(\.id) == expected.map(\.id), comment)
      }
    }
  }
}
