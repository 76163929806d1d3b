import GRDB
import Testing

@testable import Sanderling

/// An older version of an app beside a newer one, with the same file.
@Suite struct VersionsBesideTests {
  enum Old {
    @Record("task")
    struct Task: Hashable {
      var id: Int
      var title: String
      var note: String?
    }
  }

  enum Wider {
    @Record("task")
    struct Task: Hashable {
      var id: Int
      var title: String
      var note: String?
      var rank = 7
    }
  }

  enum Narrower {
    @Record("task")
    struct Task: Hashable {
      var id: Int
      var title: String
    }
  }

  private let folder = TemporaryFolder()

  private func old() throws -> Store {
    try Store(path: folder.path(), schema: [Old.Task.self], liveInterval: .zero)
  }

  private func dropsNote() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("drop the note") { try $0.alter(table: "task") { $0.drop(column: "note") } }
    return migrator
  }

  @MainActor @Test func anOpenStoreGoesOnBesideANewColumn() async throws {
    let old = try old()
    let list = old.liveList(Old.Task.order { $0.id })
    _ = list.rows
    try await old.write("add") { try $0.insert(Old.Task(id: 1, title: "a")) }
    let new = try Store(path: folder.path(), schema: [Wider.Task.self])
    try await new.write("add") { try $0.insert(Wider.Task(id: 2, title: "b", rank: 1)) }
    try await old.write("add") { try $0.insert(Old.Task(id: 3, title: "c")) }
    await old.settled()
    #expect(list.rows.map(\.title) == ["a", "b", "c"])
    #expect(try await new.fetch(Wider.Task.order { $0.id }).map(\.rank) == [7, 1, 7])
    // An older version that opens the file later finds a column that it does not know, and may drop nothing.
    #expect {
      _ = try self.old()
    } throws: { error in
      if case StoreError.schemaMismatch = error { true } else { false }
    }
    // An adopted pool may have such columns.
    let adopting = try Store(DatabasePool(path: folder.path()), schema: [Old.Task.self])
    try await adopting.write("add") { try $0.insert(Old.Task(id: 4, title: "d")) }
    #expect(try await new.fetch(Wider.Task.order { $0.id }).map(\.rank) == [7, 1, 7, 7])
  }

  @MainActor @Test func aColumnThatIsGoneFailsTheOlderVersion() async throws {
    let old = try old()
    let list = old.liveList(Old.Task.order { $0.id })
    _ = list.rows
    try await old.write("add") { try $0.insert(Old.Task(id: 1, title: "a")) }
    await old.settled()
    let new = try Store(path: folder.path(), schema: [Narrower.Task.self], migrator: dropsNote())
    _ = try await old.noticeOutsideChanges()
    await old.settled()
    #expect(list.state.error != nil)
    await #expect(throws: StoreError.self) {
      try await old.write("add") { try $0.insert(Old.Task(id: 2, title: "b")) }
    }
    #expect(try await new.fetch(Narrower.Task.order { $0.id }).map(\.title) == ["a"])
    // Opened later, the older version creates its optional column again.
    #expect(try await self.old().fetch(Old.Task.order { $0.id }).map(\.note) == [nil])
  }

  @Test func aStepThatTheOlderVersionLacksRefusesIt() throws {
    _ = try old()
    _ = try Store(path: folder.path(), schema: [Narrower.Task.self], migrator: dropsNote())
    #expect {
      _ = try Store(path: folder.path(), schema: [Old.Task.self], migrator: DatabaseMigrator())
    } throws: { error in
      if case StoreError.newerSchema(let migrations) = error { migrations == ["drop the note"] } else { false }
    }
  }
}
