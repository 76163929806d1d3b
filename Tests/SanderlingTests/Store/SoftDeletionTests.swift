import Foundation
import GRDB
import Testing

@testable import Sanderling

@Record
private struct Folder: Hashable {
  var id: Int64
  @References(Folder.self, onDelete: .cascade) var parentID: Int64?
  @Stored(touch: .onDelete) var deletedAt: Date?
  static let notes = hasMany(Note.self, by: \.folderID)
  static let allNotes = hasMany(Note.self, by: \.folderID, scoped: false)
  static let labels = hasMany(Label.self, through: notes, using: Note.labels)
}

@Record
private struct Note: Hashable {
  var id: Int64
  @References(Folder.self, onDelete: .cascade) var folderID: Int64?
  var slug: String
  var isArchived = false
  @Stored(touch: .onUpdate) var changedAt: Date?
  @Stored(touch: .onDelete) var deletedAt: Date?
  static let folder = belongsTo(Folder.self, by: \.folderID)
  static let labels = hasMany(Label.self, by: \.noteID)
  static let defaultScope = Condition<Note> { !$0.isArchived }
  static let indexes: [Index<Note>] = [.unique(on: .ascending(\.slug), name: "slug").where { $0.deletedAt == nil }]
}

/// A record without soft deletion.
@Record
private struct Label: Hashable {
  var id: Int64
  @References(Note.self, onDelete: .cascade) var noteID: Int64
  static let note = belongsTo(Note.self, by: \.noteID)
}

@Projection(of: Note.self)
private struct NoteLine: Hashable {
  var slug: String
  var labels: Int
  static let labels = aggregate { $0.labels.count }
}

private let schema: [any StoredRecord.Type] = [Folder.self, Note.self, Label.self]

@Suite("Soft-deleted rows and default scopes")
struct SoftDeletionTests {
  private func filled() async throws -> Store {
    let store = try Store(inMemory: schema)
    try await store.write { tx in
      try tx.insert(contentsOf: [Folder(id: 1), Folder(id: 2, parentID: 1), Folder(id: 3, parentID: 2), Folder(id: 4)])
      try tx.insert(contentsOf: [
        Note(id: 1, folderID: 1, slug: "a"), Note(id: 2, folderID: 3, slug: "b"), Note(id: 3, folderID: 4, slug: "c"),
        Note(id: 4, folderID: 4, slug: "d", isArchived: true), Note(id: 5, folderID: nil, slug: "e"),
      ])
      try tx.insert(contentsOf: [Label(id: 1, noteID: 1), Label(id: 2, noteID: 3), Label(id: 3, noteID: 4)])
    }
    return store
  }

  @Test func queriesLeaveOutRowsOutsideTheDefaultScope() async throws {
    let store = try await filled()
    #expect(try await store.write { try $0.delete(Note.self, key: 1) })
    #expect(try await store.fetch(Note.order { $0.id }).map(\.id) == [2, 3, 5])
    #expect(try await store.fetch(NoteLine.order { $0.slug }).map(\.slug) == ["b", "c", "e"])
    #expect(try await store.count(Note.query) == 3)
    #expect(try await store.fetch(Note.self, key: 1) == nil)
    #expect(try await store.fetch(Note.self, key: 4) == nil)
    #expect(
      try await store.fetch(Folder.order { $0.id }.select { ($0.notes.count, $0.allNotes.count) }).map(\.0) == [
        0, 0, 1, 1,
      ])
    #expect(try await store.fetch(Folder.order { $0.id }.select { $0.allNotes.count }) == [1, 0, 1, 2])
    #expect(try await store.fetch(Folder.order { $0.id }.select { $0.labels.count }) == [0, 0, 0, 1])
    let prefetched = try await store.fetch(Folder.order { $0.id }.with(Folder.notes.prefetch()))
    #expect(prefetched.map(\.1.count) == [0, 0, 1, 1])
    // Reads without the default scope return all rows.
    #expect(try await store.fetch(Note.unscoped.order { $0.id }).map(\.id) == [1, 2, 3, 4, 5])
    #expect(try await store.fetch(Note.unscoped.where { $0.deletedAt != nil }).map(\.id) == [1])
    #expect(try await store.fetch(NoteLine.unscoped.order { $0.slug }).map(\.labels) == [1, 0, 1, 1, 0])
    // A soft-deleted parent is still read through an association.
    #expect(try await store.fetch(Label.order { $0.id }.select { $0.note.slug }) == ["a", "c", "d"])
  }

  @Test func deletionCascadesAndRestoringUndoesIt() async throws {
    let store = try await filled()
    #expect(try await store.write { try $0.delete(Note.self, key: 2) })
    try await Task.sleep(for: .milliseconds(5))
    #expect(try await store.write { try $0.delete(Folder.self, key: 1) })
    #expect(try await store.fetch(Folder.query).map(\.id) == [4])
    #expect(try await store.fetch(Note.order { $0.id }).map(\.id) == [3, 5])
    #expect(try await !store.write { try $0.delete(Folder.self, key: 1) })
    #expect(try await store.count(Label.query) == 3)
    #expect(try await store.write { try $0.restore(Folder.self, key: 1) })
    #expect(try await !store.write { try $0.restore(Folder.self, key: 1) })
    #expect(try await store.fetch(Folder.order { $0.id }).map(\.id) == [1, 2, 3, 4])
    // The note that was deleted earlier stays deleted.
    #expect(try await store.fetch(Note.order { $0.id }).map(\.id) == [1, 3, 5])
    #expect(try await store.write { try $0.restore(Note.unscoped.where { $0.deletedAt != nil }) } == 1)
    #expect(try await store.count(Note.query) == 4)
  }

  /// Restoring a folder inside a deleted tree also restores the rows below it. The rows above it stay deleted.
  @Test func restoringInsideADeletedTreeRestoresTheRowsBelow() async throws {
    let store = try await filled()
    try await store.write { try $0.delete(Folder.self, key: 1) }
    try await store.write { try $0.restore(Folder.self, key: 2) }
    #expect(try await store.fetch(Folder.order { $0.id }).map(\.id) == [2, 3, 4])
    #expect(try await store.fetch(Note.order { $0.id }).map(\.id) == [2, 3, 5])
  }

  @Test func writesByKeyDoNotRestoreADeletedRow() async throws {
    let store = try await filled()
    let stale = try #require(try await store.fetch(Note.self, key: 1))
    try await store.write { try $0.delete(stale) }
    // Writing an older copy of the record doesn't restore the row.
    try await store.write { tx in
      var copy = stale
      copy.slug = "x"
      try tx.update(copy)
      try tx.upsert(copy)
    }
    #expect(try await store.fetch(Note.self, key: 1) == nil)
    let note = try await store.write { tx in try tx.update(Note.self, key: 1) { $0.slug = "y" } }
    #expect(note.slug == "y" && note.deletedAt != nil && note.changedAt != nil)
    // The initial value counts as not set.
    let unset = try await store.write { tx in try tx.update(Note.self, key: 1) { $0.deletedAt = nil } }
    #expect(unset == note)
    #expect(try await store.fetch(Note.self, key: 1) == nil)
  }

  @Test func valuesAreUniqueAmongRowsThatAreNotDeleted() async throws {
    let store = try await filled()
    try await store.write { tx in
      try tx.delete(Note.self, key: 1)
      try tx.insert(Note(id: 6, folderID: nil, slug: "a"))
    }
    let error = await #expect(throws: StoreError.self) { try await store.write { try $0.restore(Note.self, key: 1) } }
    guard case .constraint = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func purgingRemoves() async throws {
    let store = try await filled()
    try await store.write { tx in
      try tx.delete(Note.where { $0.slug < "c" })
      #expect(try tx.purge(Note.unscoped.where { $0.deletedAt != nil }) == 2)
      #expect(try tx.purge(Folder.self, key: 4))
    }
    #expect(try await store.fetch(Note.unscoped).map(\.id) == [5])
    #expect(try await store.count(Label.query) == 0)
    await #expect(throws: StoreError.self) { try await store.write { try $0.restore(Label.self, key: 1) } }
  }

  @Test func deletingTouchesAndUndoBringsBack() async throws {
    let store = try await filled()
    let before = try await store.fetch(Note.self, key: 1)?.changedAt
    try await Task.sleep(for: .milliseconds(5))
    let written = try await store.writeUndoably("delete") { tx in try tx.delete(Folder.self, key: 1) }
    let changed = try await store.fetch(Note.unscoped.where { $0.id == 1 }).first?.changedAt
    #expect(try #require(changed) > (try #require(before)))
    try await store.undo(written.inverse)
    #expect(try await store.fetch(Note.self, key: 1)?.changedAt == before)
    #expect(try await store.fetch(Folder.order { $0.id }).map(\.id) == [1, 2, 3, 4])
  }

  @Test func contradictoryDeclarationsAreRefused() throws {
    #expect(throws: SchemaError.self) { try StoreSchema([WithDefault.self]) }
    #expect(throws: SchemaError.self) { try StoreSchema([Folder.self, Note.self, Label.self, OtherForm.self]) }
  }

  @Test func cascadesFindRowsByIndexes() async throws {
    let store = try await filled()
    let sql = try StoreSchema(schema).sql
    #expect(sql.contains("CREATE TRIGGER \"sanderling_touch_delete_folder\" AFTER UPDATE OF \"deletedAt\""))
    #expect(!sql.contains("sanderling_touch_delete_note"))
    let trigger = try #require(sql.components(separatedBy: "sanderling_touch_delete_folder").last)
    let body = trigger.components(separatedBy: " BEGIN ")[1].components(separatedBy: "END;")[0]
    let statements = body.replacingOccurrences(of: "NEW.\"id\"", with: "1")
      .replacingOccurrences(of: "NEW.\"deletedAt\"", with: "1").replacingOccurrences(
        of: "OLD.\"deletedAt\"", with: "NULL"
      )
      .components(separatedBy: "; ").filter { $0.hasPrefix("UPDATE") }
    #expect(statements.count == 2)
    for statement in statements {
      let details = try await store.writer.read { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + statement).map { $0["detail"] as String }
      }
      #expect(details.allSatisfy { !$0.hasPrefix("SCAN note") && !$0.hasPrefix("SCAN folder") }, "\(details)")
    }
  }
}

/// A record with an initial value for the time of deletion, which is invalid.
@Record
private struct WithDefault {
  var id: Int64
  @Stored(touch: .onDelete) var deletedAt: Date = .distantPast
}

/// A record that is deleted with its folder, and stores the time in another format.
@Record
private struct OtherForm {
  var id: Int64
  @References(Folder.self, onDelete: .cascade) var folderID: Int64
  @Stored(as: .unixMilliseconds, touch: .onDelete) var deletedAt: Date?
}

@MainActor
@Suite("Live results of soft-deleted rows")
struct LiveSoftDeletionTests {
  @Test func liveResultsEqualAFreshFetchAfterRandomWrites() async throws {
    var generator = SeededGenerator()
    let folder = TemporaryFolder()
    let store = try Store(
      path: folder.path("soft.sqlite"), schema: schema, audit: .everyCommit { Issue.record("\($0)") })
    let notes = Note.order { ($0.slug, $0.id) }
    let folders = Folder.order { $0.id }.select { ($0.id, $0.notes.count, $0.allNotes.count, $0.labels.count) }
    let labels = Label.where { $0.note.deletedAt == nil }.order { $0.id }
    let lists = (store.liveList(notes), store.liveList(folders), store.liveList(labels))
    let trash = store.liveCount(Note.unscoped.where { $0.deletedAt != nil })
    _ = (lists.0.rows, lists.1.rows, lists.2.rows, trash.value)
    for step in 0..<150 {
      let seeds = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        UInt64.random(in: 0 ... .max, using: &generator)
      }
      try await store.write { tx in for seed in seeds { try Self.change(tx, seed) } }
      await store.settled()
      let fresh = try await store.read { tx in
        (
          try tx.fetch(notes), try tx.fetch(folders), try tx.fetch(labels),
          try tx.count(Note.unscoped.where { $0.deletedAt != nil })
        )
      }
      let seed: Testing.Comment = "step \(step), SANDERLING_SEED=\(generator.seed)"
      try #require(lists.0.elements == fresh.0, seed)
      try #require(lists.1.elements.map { "\($0)" } == fresh.1.map { "\($0)" }, seed)
      try #require(lists.2.elements == fresh.2, seed)
      try #require(trash.value == fresh.3, seed)
    }
    // The table's unique index is partial, and the table is captured nevertheless.
    #expect(try await notes.explainLive(store).isMaintained)
    #expect(try await folders.explainLive(store).isMaintained)
    #expect(try await labels.explainLive(store).isMaintained)
  }

  private nonisolated static func change(_ tx: WriteTransaction, _ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func id(_ count: Int64) -> Int64 { .random(in: 1...count, using: &generator) }
    let slug = ["a", "b", "c", "d", "e"].randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<12, using: &generator) {
    case 0:
      try tx.upsert(Folder(id: id(5), parentID: try tx.fetch(Folder.unscoped).randomElement(using: &generator)?.id))
    case 1, 2:
      guard let folder = try tx.fetch(Folder.unscoped).randomElement(using: &generator)?.id else { return }
      try tx.execute(
        "INSERT OR REPLACE INTO note (id, folderID, slug, isArchived) VALUES (\(id(9)), \(folder), \(slug), 0)")
    case 3: try tx.execute("UPDATE OR REPLACE note SET deletedAt = NULL WHERE slug = \(slug)")
    case 4: try tx.execute("UPDATE OR REPLACE note SET slug = \(slug) WHERE id = \(id(9))")
    case 5: try tx.delete(Folder.self, key: id(5))
    case 6: try? tx.savepoint { _ = try tx.restore(Folder.self, key: id(5)) }
    case 7: try tx.delete(Note.self, key: id(9))
    case 8: try? tx.savepoint { _ = try tx.restore(Note.self, key: id(9)) }
    case 9: try tx.execute("UPDATE note SET isArchived = NOT isArchived WHERE id = \(id(9))")
    case 10: try tx.purge(Note.unscoped.where { $0.id == id(9) && $0.deletedAt != nil })
    default:
      guard let note = try tx.fetch(Note.unscoped).randomElement(using: &generator)?.id else { return }
      try tx.upsert(Label(id: id(9), noteID: note))
    }
  }
}
