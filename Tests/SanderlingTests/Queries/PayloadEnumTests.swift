import Foundation
import GRDB
import Sanderling
import Testing

/// Enumerations with payloads, and functions of the app, as the guides show them.
@Suite struct PayloadEnumTests {
  @Record
  struct Reminder: Hashable {
    enum Repetition: Codable, Hashable {
      case never
      case every(days: Int)
      case onWeekdays(Set<Int>, until: Date?)
    }

    var id: Int
    var title: String
    @Stored(as: .json) var repetition: Repetition = .never
  }

  private let folder = TemporaryFolder()

  private func store() async throws -> Store {
    var configuration = Store.defaultConfiguration
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("initials", argumentCount: 1, pure: true) { values in
          String.fromDatabaseValue(values[0])?.split(separator: " ").compactMap { $0.first.map(String.init) }.joined()
        })
    }
    let store = try Store(path: folder.path(), schema: [Reminder.self], configuration: configuration)
    try await store.write { tx in
      try tx.insert(Reminder(id: 1, title: "water the plants", repetition: .every(days: 3)))
      try tx.insert(Reminder(id: 2, title: "pay", repetition: .every(days: 30)))
      try tx.insert(Reminder(id: 3, title: "write the paper", repetition: .onWeekdays([2, 4], until: nil)))
      try tx.insert(Reminder(id: 4, title: "buy bread"))
    }
    return store
  }

  @Test func payloadsAreStoredAndQueried() async throws {
    let store = try await store()
    let frequent = Reminder.where { $0.repetition.json("every", "days", as: Int.self) < 7 }
    #expect(try await store.fetch(frequent.select { $0.id }) == [1])
    #expect(try await store.fetch(Reminder.where { $0.repetition == .never }.select { $0.id }) == [4])
    #expect(
      try await store.fetch(Reminder.where { $0.repetition == .every(days: 30) }.select { $0.id }) == [2])
    #expect(try await store.fetch(Reminder.self, key: 3)?.repetition == .onWeekdays([2, 4], until: nil))
    let order = Reminder.order { $0.repetition.json("every", "days", as: Int.self).descending }
    #expect(try await store.fetch(order.select { $0.id }).prefix(2) == [2, 1])
  }

  @Test @MainActor func functionsOfTheAppMakeFields() async throws {
    let store = try await store()
    let query = Reminder.where { $0.title.initials == "wtp" }.order { $0.id }
    #expect(try await store.fetch(query.select { $0.id }) == [1, 3])
    #expect(
      try await store.fetch(Reminder.order { $0.title.initials }.select { $0.title.initials }) == [
        "bb", "p", "wtp", "wtp",
      ])
    let list = store.liveList(query)
    _ = list.rows
    try await store.write { _ = try $0.update(Reminder.self, key: 3) { $0.title = "rest" } }
    await store.settled()
    #expect(list.elements.map(\.id) == [1])
  }
}

extension Field<String> {
  fileprivate var initials: Field<String> { .raw("initials(\(self))") }
}
