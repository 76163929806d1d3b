import Foundation
import Sanderling

enum Level: Int, SortableColumnValue, CaseIterable, Codable { case low, middle, high }

enum Kind: String, ColumnValue, CaseIterable, Codable { case inside, outside }

/// A record with a column of every type that predicates compare.
@Record(indexes: [.on(\.due), .on(\.title)])
struct Chore: Hashable {
  var id: Int
  @References(House.self) var houseID: Int?
  @Searchable var title: String
  var note: String?
  var size: Int
  var rank: Int?
  var weight: Double
  var cost: Double?
  var isDone: Bool
  var isFun: Bool?
  var due: Date?
  @Stored(as: .iso8601) var made: Date
  var level: Level
  var kind: Kind?
  var code: UUID
  var price: Decimal
  @Stored(collation: .nocase) var login: String
  static let house = belongsTo(House.self, by: \.houseID)
  static let steps = hasMany(Step.self, by: \.choreID)
}

@Record
struct House: Hashable, Codable {
  var id: Int
  @References(House.self) var parentID: Int?
  var name: String
  var rooms: Int
  static let parent = belongsTo(House.self, by: \.parentID)
  static let chores = hasMany(Chore.self, by: \.houseID)
}

@Record
struct Step: Hashable {
  var id: Int
  @References(Chore.self) var choreID: Int
  var text: String
  var minutes: Int?
  var isDone: Bool
  static let chore = belongsTo(Chore.self, by: \.choreID)
}

// The values of the associations come from a world in memory, so that Foundation can evaluate predicates.

extension Chore {
  var house: House? { HouseWorld.current.houses.first { $0.id == houseID } }
  var steps: [Step] { HouseWorld.current.steps.filter { $0.choreID == id } }
  var isHeavy: Bool { weight > 2 }
  static let predicateProperties: [PredicateProperty<Chore>] = [
    .init(\.house) { $0.house },
    .init(\.steps) { $0.steps },
    .init(\.isHeavy) { $0.weight > 2 },
    .init(\.house?.name) { $0.house.name },
  ]
}

extension House {
  var parent: House? { HouseWorld.current.houses.first { $0.id == parentID } }
  var chores: [Chore] { HouseWorld.current.chores.filter { $0.houseID == id } }
  static let predicateProperties: [PredicateProperty<House>] = [
    .init(\.parent) { $0.parent }, .init(\.chores) { $0.chores },
  ]
}

extension Step {
  var chore: Chore { HouseWorld.current.chores.first { $0.id == choreID }! }
  static let predicateProperties: [PredicateProperty<Step>] = [.init(\.chore) { $0.chore }]
}

/// Random houses, chores and steps.
struct HouseWorld: Sendable {
  @TaskLocal static var current = HouseWorld(houses: [], chores: [], steps: [])

  var houses: [House]
  var chores: [Chore]
  var steps: [Step]

  static let texts = ["", "a", "b", "ab", "Ab", "bab", "x*y?", "a b", "[a]", "é", "ÉA"]

  init(houses: [House], chores: [Chore], steps: [Step]) {
    self.houses = houses
    self.chores = chores
    self.steps = steps
  }

  init(using generator: inout SeededGenerator) {
    func some<Value>(_ value: Value) -> Value? { generator.chance(0.35) ? nil : value }
    houses = (1...4).map { id in
      House(
        id: id, parentID: id > 1 ? some(generator.next(id - 1) + 1) : nil, name: generator.element(Self.texts),
        rooms: generator.next(4))
    }
    chores = (1...14).map { id in
      Chore(
        id: id, houseID: some(generator.next(4) + 1), title: generator.element(Self.texts),
        note: some(generator.element(Self.texts)), size: generator.next(9) - 4, rank: some(generator.next(7) - 3),
        weight: generator.element([-1.5, -0.0, 0, 0.5, 2, 2.5, .infinity, -.infinity]),
        cost: some(generator.element([-2, 0, 0.1, 3, .infinity])), isDone: generator.chance(0.5),
        isFun: some(generator.chance(0.5)), due: some(Date(at: Double(generator.next(5)))),
        made: Date(at: Double(generator.next(4))), level: generator.element(Level.allCases),
        kind: some(generator.element([.inside, .outside])), code: UUID(UInt64(generator.next(4))),
        price: Decimal(generator.next(4)), login: generator.element(["a", "A", "b"]))
    }
    steps = (1...20).map { id in
      Step(
        id: id, choreID: generator.next(14) + 1, text: generator.element(Self.texts), minutes: some(generator.next(5)),
        isDone: generator.chance(0.6))
    }
  }

  func store() async throws -> Store {
    let store = try Store(inMemory: [House.self, Chore.self, Step.self])
    try await store.write("fill") { tx in
      try tx.insert(contentsOf: houses)
      try tx.insert(contentsOf: chores)
      try tx.insert(contentsOf: steps)
    }
    return store
  }
}
