import Foundation
import GRDB
import Sanderling
import SanderlingSQLite
import SanderlingSync

/// A note of the profile `notes` that comes from a server.
@Record("note", indexes: [.on(.descending(\.changedAt)), .on(\.contextID, .descending(\.changedAt))])
struct SyncedNote {
  var id: Int64
  var contextID: Int
  var title: String
  var changedAt: Date
  var body: String
}

/// A note of the same profile whose words are indexed.
@Record("note", indexes: [.on(.descending(\.changedAt)), .on(\.contextID, .descending(\.changedAt))])
struct SyncedWords {
  var id: Int64
  var contextID: Int
  @Searchable(.words) var title: String
  var changedAt: Date
  var body: String
}

/// All notes of a server, generated when a page is requested.
struct NoteSource: SyncSource {
  static let pageSize = 1_000
  let count: Int
  /// Called with the number of each page.
  var onPage: @Sendable (Int) async throws -> Void = { _ in }

  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    Pages(source: self, first: cursor.flatMap { Int($0) } ?? 0)
  }

  private struct Pages: AsyncSequence, Sendable {
    typealias Failure = any Error
    let source: NoteSource
    let first: Int

    func makeAsyncIterator() -> Iterator { Iterator(source: source, next: first) }

    struct Iterator: AsyncIteratorProtocol {
      let source: NoteSource
      var next: Int

      mutating func next() async throws -> SyncBatch? {
        guard next < source.count else { return nil }
        try await source.onPage(next / NoteSource.pageSize)
        let numbers = next..<Swift.min(source.count, next + NoteSource.pageSize)
        next = numbers.upperBound
        return SyncBatch(
          numbers.map(NoteSource.change), cursor: String(next), isCheckpoint: next == source.count,
          remaining: source.count - next)
      }
    }
  }

  private static func change(_ number: Int) -> SyncChange {
    let note = Notes.make(number)
    return SyncChange(
      "note", key: [.integer(note.id)],
      .row([
        "contextID": .integer(Int64(note.contextID)), "title": .text(note.title),
        "changedAt": .real(note.changedAt.timeIntervalSinceReferenceDate), "body": .text(note.body),
      ]))
  }
}

/// Writes the same notes by hand, on SQLite's C API.
final class NotesByHand {
  let connection: CConnection
  private let insert: OpaquePointer
  private var word: OpaquePointer?

  /// - Parameter hasWords: Whether the words of titles are indexed by FTS5 in the same transactions.
  init(_ path: String, hasWords: Bool) throws {
    connection = try CConnection(path)
    try connection.execute(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY NOT NULL, contextID INTEGER NOT NULL, title TEXT NOT NULL,
        changedAt REAL NOT NULL, body TEXT NOT NULL);
      CREATE INDEX note_on_changedAt ON note (changedAt DESC);
      CREATE INDEX note_on_contextID ON note (contextID, changedAt DESC);
      """)
    insert = try connection.prepare("INSERT INTO note VALUES (?, ?, ?, ?, ?)")
    guard hasWords else { return }
    try connection.execute(
      "CREATE VIRTUAL TABLE words USING fts5(title, content='note', content_rowid='id', "
        + "tokenize='unicode61 remove_diacritics 2')")
    word = try connection.prepare("INSERT INTO words (rowid, title) VALUES (?, ?)")
  }

  deinit {
    sqlite3_finalize(insert)
    sqlite3_finalize(word)
  }

  /// - Parameter size: The number of rows in a transaction.
  func fill(_ count: Int, in size: Int) throws {
    for start in stride(from: 0, to: count, by: size) {
      try connection.execute("BEGIN IMMEDIATE")
      for number in start..<min(count, start + size) {
        let note = Notes.make(number)
        sqlite3_bind_int64(insert, 1, note.id)
        sqlite3_bind_int64(insert, 2, Int64(note.contextID))
        bindText(insert, 3, note.title)
        sqlite3_bind_double(insert, 4, note.changedAt.timeIntervalSinceReferenceDate)
        bindText(insert, 5, note.body)
        guard sqlite3_step(insert) == SQLITE_DONE else { throw BenchmarkError("a note can't be inserted") }
        sqlite3_reset(insert)
        if let word {
          sqlite3_bind_int64(word, 1, note.id)
          bindText(word, 2, note.title)
          sqlite3_step(word)
          sqlite3_reset(word)
        }
      }
      try connection.execute("COMMIT")
    }
  }
}

/// A note as GRDB stores it, for the usual loop that upserts each page in one transaction.
struct UpsertedNote: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "note"
  var id: Int64
  var contextID: Int
  var title: String
  var changedAt: Double
  var body: String

  static func fill(_ pool: DatabasePool, _ count: Int) async throws {
    for start in stride(from: 0, to: count, by: NoteSource.pageSize) {
      try await pool.write { db in
        for number in start..<min(count, start + NoteSource.pageSize) {
          let note = Notes.make(number)
          try UpsertedNote(
            id: note.id, contextID: note.contextID, title: note.title,
            changedAt: note.changedAt.timeIntervalSinceReferenceDate, body: note.body
          ).upsert(db)
        }
      }
    }
  }
}
