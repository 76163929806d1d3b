import Foundation
import GRDB
import Sanderling
import SanderlingSync

@Record("folder")
struct Folder: Equatable {
  var id: Int
  var name: String
  @References(Folder.self) var parentID: Int?
}

@Record("note", indexes: [.on(\.folderID)])
struct Note: Equatable {
  var id: String
  @References(Folder.self) var folderID: Int
  @Searchable var title: String
  var body: String?
  var rank: Double
  var isPinned = false
}

@Record("tagging")
struct Tagging: Equatable {
  @PrimaryKey @References(Note.self) var noteID: String
  @PrimaryKey var tag: String
}

let syncedRecords = [SyncedRecord(Folder.self), SyncedRecord(Note.self), SyncedRecord(Tagging.self)]
let recordTypes: [any StoredRecord.Type] = [Folder.self, Note.self, Tagging.self]

extension SyncChange {
  static func folder(_ id: Int, _ name: String, in parent: Int? = nil) -> SyncChange {
    SyncChange(
      "folder", key: [.integer(Int64(id))],
      .row(["name": .text(name), "parentID": parent.map { .integer(Int64($0)) } ?? .null]))
  }

  static func note(
    _ id: String, in folder: Int, _ title: String, body: String? = nil, rank: Double = 0, isPinned: Bool = false
  ) -> SyncChange {
    SyncChange(
      "note", key: [.text(id)],
      .row([
        "folderID": .integer(Int64(folder)), "title": .text(title), "body": body.map { .text($0) } ?? .null,
        "rank": .real(rank), "isPinned": .integer(isPinned ? 1 : 0),
      ]))
  }

  static func tagging(_ note: String, _ tag: String) -> SyncChange {
    SyncChange("tagging", key: [.text(note), .text(tag)], .row([:]))
  }

  static func deletion(_ record: String, _ key: StorageValue...) -> SyncChange {
    SyncChange(record, key: key, .deletion)
  }
}

/// A source with a fixed list of batches, whose cursors are their numbers. It can fail before a batch.
struct BatchSource: SyncSource {
  struct Failure: Error, Equatable {}

  var batches: [SyncBatch]
  var failsBefore: Int?
  var onBatch: @Sendable (Int) async throws -> Void = { _ in }

  init(_ batches: [SyncBatch], failsBefore: Int? = nil) {
    self.batches = batches.enumerated().map { number, batch in
      var batch = batch
      if batch.cursor == nil { batch.cursor = String(number + 1) }
      return batch
    }
    self.failsBefore = failsBefore
  }

  init(_ changes: [SyncChange]) { self.init([SyncBatch(changes)]) }

  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    Batches(source: self, first: cursor.flatMap { Int($0) } ?? 0)
  }

  struct Batches: AsyncSequence, Sendable {
    typealias Failure = any Error
    let source: BatchSource
    let first: Int

    func makeAsyncIterator() -> Iterator { Iterator(source: source, next: first) }

    struct Iterator: AsyncIteratorProtocol {
      let source: BatchSource
      var next: Int

      mutating func next() async throws -> SyncBatch? {
        if next == source.failsBefore { throw BatchSource.Failure() }
        guard next < source.batches.count else { return nil }
        try await source.onBatch(next)
        defer { next += 1 }
        return source.batches[next]
      }
    }
  }
}

extension Store {
  static func synced() throws -> Store { try Store(inMemory: recordTypes) }

  @discardableResult
  func pull(_ source: any SyncSource, options: SyncOptions = SyncOptions()) async throws -> SyncSummary {
    try await SyncSession("test", store: self, records: syncedRecords, source: source, options: options).run()
  }

  @discardableResult
  func pull(_ changes: SyncChange...) async throws -> SyncSummary { try await pull(BatchSource(changes)) }

  /// Returns the first value of a query as an integer.
  func count(_ sql: String) async throws -> Int {
    try await read { try Int.fetchOne($0.database, sql: sql) ?? 0 }
  }
}
