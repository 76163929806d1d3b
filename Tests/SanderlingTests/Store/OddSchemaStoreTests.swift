import Foundation
import GRDB
import TestPrograms
import Testing

@testable import Sanderling

/// Stores of databases with an object that only the app can use, or that can't be used at all. Everything else works.
@MainActor
@Suite struct OddSchemaStoreTests {
  private let folder = TemporaryFolder()

  enum Old {
    @Record("note") struct Note: Hashable {
      var id: Int64?
      var title: String
      var size: Int?
    }
  }

  enum New {
    /// The record's next version: with an index, a column that ALTER TABLE can add, and a collation that needs a
    /// rebuild.
    @Record("note", indexes: [.on(\.title)]) struct Note: Hashable {
      var id: Int64?
      @Stored(collation: .nocase) var title: String
      var size: Int?
      var mark: String?
    }
  }

  private nonisolated static let schemas = OddSchema.all.filter { !$0.isDamaged }

  private func queue(_ schema: OddSchema) throws -> DatabaseQueue {
    let path = folder.path("app.sqlite")
    try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: schema.sql) }
    return try DatabaseQueue(path: path)
  }

  @Test(arguments: schemas) func otherTablesOfAnOddSchemaWork(schema: OddSchema) async throws {
    let store = try await Store.open(queue(schema), schema: [Old.Note.self])
    let list = store.liveList(Old.Note.order { $0.title }, window: 10)
    let long = store.longList(Old.Note.order { $0.title }, visible: 2)
    try await list.caughtUp()
    #expect(list.elements.map(\.title) == ["one", "three", "two"])
    let written = try await store.writeUndoably("add") { try $0.insert(Old.Note(id: 4, title: "four", size: 4)) }
    try await list.caughtUp()
    #expect(list.elements.map(\.title) == ["four", "one", "three", "two"])
    // A long list shows rows before all of them are counted.
    #expect(try await long.counted() == 4)
    try await store.undo(written.inverse)
    try await list.caughtUp()
    #expect(list.elements.map(\.title) == ["one", "three", "two"])
    try store.close()
  }

  @Test(arguments: schemas) func theSchemaIsMigrated(schema: OddSchema) async throws {
    try queue(schema).close()
    // A store migrates a file that it opens by path, but not a connection of the app.
    let path = folder.path("app.sqlite")
    try await Store.open(path: path, schema: [Old.Note.self]).close()
    let store = try await Store.open(path: path, schema: [New.Note.self])
    try await store.write("add") { try $0.insert(New.Note(id: nil, title: "FOUR", size: nil, mark: "m")) }
    #expect(try await store.fetch(New.Note.order { $0.title }).map(\.title) == ["FOUR", "one", "three", "two"])
    try store.close()
  }

  /// SQLite refuses to read a file with a damaged definition by default, and the error names the object.
  @Test(arguments: OddSchema.all.filter(\.isDamaged)) func aDamagedDefinitionIsNamed(schema: OddSchema) throws {
    let error = #expect(throws: (any Error).self) { try queue(schema) }
    #expect(error.map { "\($0)" }?.contains("malformed database schema (odd") == true, "\(String(describing: error))")
  }
}
