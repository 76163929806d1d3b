import Foundation
import GRDB
import Sanderling

/// A record of a store that ``CoreDataFixture`` makes.
@Record("ZENTRY")
struct OldEntry: Hashable {
  @PrimaryKey @Stored("Z_PK") var objectID: Int64
  @Stored("ZTEXT") var text: String?
}

/// A small store with the tables of Core Data.
enum CoreDataFixture {
  static let tables = """
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    INSERT INTO Z_METADATA VALUES (1, '4B0F5331-DE87-4D61-9947-8A976CCEB627', NULL);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Entry', 0, 3);
    CREATE TABLE ZENTRY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR );
    INSERT INTO ZENTRY VALUES (1, 1, 1, 'one'), (2, 1, 1, 'two');
    """

  /// Makes a store whose rows are in the file.
  static func make(_ path: String, isLogged: Bool = true) throws {
    try change(path, "PRAGMA journal_mode = \(isLogged ? "WAL" : "DELETE"); \(tables)")
  }

  /// Runs statements as another program does.
  static func change(_ path: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// Makes a store whose last rows are only in the log, without the file `-shm`, as a killed process leaves it.
  static func makeWithLog(_ path: String) throws {
    let source = path + "-source"
    try make(source)
    let queue = try DatabaseQueue(path: source)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0; INSERT INTO ZENTRY VALUES (3, 1, 1, 'logged')")
    }
    for ending in ["", "-wal"] { try FileManager.default.copyItem(atPath: source + ending, toPath: path + ending) }
    try queue.close()
    for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: source + ending) }
  }
}
