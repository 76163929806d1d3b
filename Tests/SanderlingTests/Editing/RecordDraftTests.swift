import Foundation
import Testing

@testable import Sanderling

/// A record that is edited while others write its row.
@Suite @MainActor struct RecordDraftTests {
  @Record
  struct Task: Equatable {
    var id: Int
    var title: String
    var notes: String
    var rating: Double?
    @Stored(as: .json) var labels: [String] = []
  }

  private let store: Store
  private let draft: RecordDraft<Task>

  init() throws {
    let first = Task(id: 1, title: "title", notes: "notes", rating: 1)
    store = try Store(inMemory: [Task.self])
    try store.writeBlocking { try $0.insert(first) }
    draft = try RecordDraft(first, in: store)
  }

  private func change(_ change: @escaping @Sendable (inout Task) -> Void) async throws {
    try await store.write { tx in _ = try tx.update(Task.self, key: 1) { change(&$0) } }
    _ = draft.theirs
    await store.settled()
  }

  private func row() async throws -> Task? { try await store.fetch(Task.self, key: 1) }

  @Test func editsAreSaved() async throws {
    #expect(!draft.isChanged && draft.conflicts == [])
    draft.values.title = "mine"
    draft.values.labels.append("a")
    #expect(draft.isChanged)
    #expect(try await draft.save() == .saved)
    #expect(!draft.isChanged)
    #expect(try await row() == Task(id: 1, title: "mine", notes: "notes", rating: 1, labels: ["a"]))
    #expect(draft.values == (try await row()))
    draft.values.title = "title"
    draft.values.title = "mine"
    #expect(!draft.isChanged)
  }

  /// A property without edits follows the row, and is not written.
  @Test func othersChangesOfOtherPropertiesAreKept() async throws {
    draft.values.title = "mine"
    try await change { $0.notes = "theirs" }
    #expect(draft.values == Task(id: 1, title: "mine", notes: "theirs", rating: 1))
    #expect(draft.conflicts == [])
    // The draft saves although it has not shown the newest row yet.
    try await store.write { try $0.update(Task.self, key: 1) { $0.rating = 5 } }
    #expect(try await draft.save() == .saved)
    #expect(try await row() == Task(id: 1, title: "mine", notes: "theirs", rating: 5))
    #expect(draft.values == (try await row()))
  }

  @Test func aConflictIsShownAndNothingIsLost() async throws {
    draft.values.title = "mine"
    draft.values.notes = "mine"
    try await change { ($0.title, $0.rating) = ("theirs", 2) }
    #expect(draft.conflicts == ["title"])
    #expect(draft.isConflicting(\.title) && !draft.isConflicting(\.notes) && !draft.isConflicting(\.rating))
    #expect(draft.values.title == "mine" && draft.theirs?.title == "theirs")
    #expect(try await draft.save() == .conflicting)
    #expect(try await row()?.notes == "notes")
    draft.keepMine()
    #expect(draft.conflicts == [] && draft.isChanged)
    // A further change by others is a new conflict.
    try await change { $0.title = "theirs again" }
    #expect(draft.conflicts == ["title"])
    draft.keepMine()
    #expect(try await draft.save() == .saved)
    #expect(try await row() == Task(id: 1, title: "mine", notes: "mine", rating: 2))
  }

  @Test func theirsIsTaken() async throws {
    draft.values.title = "mine"
    draft.values.notes = "mine"
    try await change { $0.title = "theirs" }
    draft.takeTheirs()
    #expect(draft.conflicts == [] && draft.values.title == "theirs" && draft.values.notes == "mine")
    #expect(try await draft.save() == .saved)
    #expect(try await row()?.title == "theirs")
    draft.values.notes = "again"
    draft.discard()
    #expect(!draft.isChanged)
    #expect(draft.values == (try await row()))
  }

  /// The same value from both sides is no conflict.
  @Test func equalEditsAgree() async throws {
    draft.values.title = "same"
    try await change { $0.title = "same" }
    #expect(draft.conflicts == [])
    #expect(try await draft.save() == .saved)
    #expect(!draft.isChanged)
  }

  /// The save compares with the row of its own transaction, not with the row on screen.
  @Test func aConflictIsFoundBeforeItIsShown() async throws {
    draft.values.title = "mine"
    try await store.write { try $0.update(Task.self, key: 1) { $0.title = "theirs" } }
    #expect(try await draft.save() == .conflicting)
    #expect(draft.conflicts == ["title"])
    #expect(try await row()?.title == "theirs")
  }

  @Test func aDeletedRowIsInsertedAgainOnRequest() async throws {
    draft.values.title = "mine"
    try await store.write { _ = try $0.delete(Task.self, key: 1) }
    _ = draft.theirs
    await store.settled()
    #expect(draft.isDeleted)
    #expect(try await draft.save() == .deleted)
    #expect(try await row() == nil)
    draft.keepMine()
    #expect(draft.isChanged)
    #expect(try await draft.save() == .saved)
    #expect(try await row()?.title == "mine")
    #expect(!draft.isDeleted && !draft.isChanged)
  }

  /// A value that can't be stored, and a changed key, are errors of the save. The edits stay.
  @Test func whatCannotBeSavedStaysOnScreen() async throws {
    draft.values.rating = .nan
    draft.values.title = "mine"
    #expect(draft.values.rating?.isNaN == true && draft.isChanged)
    await #expect(throws: StoreError.self) { try await draft.save() }
    draft.values.rating = 3
    #expect(try await draft.save() == .saved)
    #expect(try await row() == Task(id: 1, title: "mine", notes: "notes", rating: 3))
    draft.values.id = 2
    let error = await #expect(throws: StoreError.self) { try await draft.save() }
    #expect(error?.description.contains("can't change the key") == true)
    draft.values.id = 1
    try store.close()
    draft.values.title = "later"
    await #expect(throws: StoreError.self) { try await draft.save() }
    #expect(draft.values.title == "later")
  }

  /// Random edits of the user and of others, compared with a model that keeps each side's last value.
  @Test func randomEdits() async throws {
    let seed = SeededGenerator.defaultSeed
    var generator = SeededGenerator(seed: seed)
    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    for step in 0..<200 {
      let text = "\(number(0..<3))"
      switch number(0..<6) {
      case 0: draft.values.title = text
      case 1: draft.values.notes = text
      case 2: try await change { $0.title = text }
      case 3: try await change { $0.notes = text }
      case 4: number(0..<2) == 0 ? draft.keepMine() : draft.takeTheirs()
      default:
        let (shown, before) = (draft.values, try await row())
        let conflicts = draft.conflicts
        let outcome = try await draft.save()
        let after = try await row()
        // Without a conflict the row has what the screen showed. Otherwise it is unchanged.
        #expect((outcome == .conflicting) == !conflicts.isEmpty, "seed \(seed), step \(step)")
        #expect(after == (conflicts.isEmpty ? shown : before), "seed \(seed), step \(step)")
        #expect(draft.values == (conflicts.isEmpty ? after : shown), "seed \(seed), step \(step)")
      }
    }
  }
}
