import Foundation
import GRDB
@testable import Sanderling
import TestPrograms
import Testing

/// An old store with books, and its move.
struct MoveFixture {
  let folder = TemporaryFolder()
  var old: String { folder.path("Library.sqlite") }
  var new: String { folder.path("new.sqlite") }
  var move: StoreMove { MovedLibrary.move(from: old, to: new) }
  var external: URL { folder.url.appending(path: ".Library_SUPPORT/_EXTERNAL_DATA") }

  /// Makes an old store. Its last rows are only in the log.
  init(books: Int, _ sql: String = "") throws {
    let source = folder.path("source/Library.sqlite")
    try FileManager.default.createDirectory(atPath: folder.path("source"), withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: source)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql:
          "PRAGMA journal_mode = WAL; \(MovedLibrary.tablesSQL) \(books > 0 ? MovedLibrary.rowsSQL(books: books) : "")")
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0")
      try db.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1; \(sql)")
    }
    for ending in ["", "-wal"] { try FileManager.default.copyItem(atPath: source + ending, toPath: old + ending) }
    try queue.close()
    try FileManager.default.removeItem(atPath: folder.path("source"))
  }

  /// The bytes of the old store.
  var oldFiles: [Data] {
    get throws { try ["", "-wal"].map { try Data(contentsOf: URL(filePath: old + $0)) } }
  }

  func addExternalFile(_ name: String, _ content: Data) throws {
    try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
    try content.write(to: external.appending(path: name))
  }

  /// Compares all tables of the new database with the old store, by plain SQL.
  ///
  /// - Returns: The first differences.
  func differences() throws -> [String] {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: new, configuration: configuration)
    return try queue.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH ? AS old", arguments: [old])
      let pairs = [
        (
          "SELECT id, kind, title, isRead, uuid, price, authorID, authorOrder, sequelID, pages FROM book",
          """
          SELECT Z_PK, iif(Z_ENT = 2, 'Book', 'Novel'), ZTITLE, ZISREAD, ZUUID, ZPRICE, ZAUTHOR, Z_FOK_AUTHOR, ZSEQUEL, ZPAGES
          FROM old.ZBOOK
          """
        ),
        (
          "SELECT id, name, born, photo, rating FROM author",
          "SELECT Z_PK, ZNAME, ZBORN, CAST(substr(ZPHOTO, 2) AS BLOB), ZRATING FROM old.ZAUTHOR"
        ),
        ("SELECT id, name FROM tag", "SELECT Z_PK, ZNAME FROM old.ZTAG"),
        ("SELECT bookID, tagID, tagsOrder FROM bookTag", "SELECT Z_2BOOKS, Z_4TAGS, Z_FOK_4TAGS FROM old.Z_2TAGS"),
      ]
      return try pairs.flatMap { new, old in
        try [(new, old), (old, new)].flatMap { first, second in
          try Row.fetchAll(db, sql: "SELECT * FROM (\(first)) EXCEPT SELECT * FROM (\(second)) LIMIT 3").map(
            \.description)
        }
      }
    }
  }

  /// The names of the files in the folder.
  var files: Set<String> { get throws { try folder.fileNames } }
}

/// The progress of a move, collected on its thread.
final class MoveProgressLog: Sendable {
  private let values = Lock<[StoreMove.Progress]>([])

  func add(_ progress: StoreMove.Progress) { values.withLock { $0.append(progress) } }
  var all: [StoreMove.Progress] { values.withLock { $0 } }
}
