import Foundation
import GRDB
import Sanderling

/// The keys of a file's rows, for finding rows with the key of an earlier one.
///
/// They are in a separate temporary database, which SQLite keeps in an unnamed file and which ends with the register.
/// Its memory is a cache of 4 MB for any number of rows. Not shared: one iteration of a file owns it.
final class KeyRegister {
  private let queue: DatabaseQueue
  private let insert: String
  private let find: String
  private let file: String
  /// Whether the key is one column of integers.
  private let isInteger: Bool

  /// - Throws: ``SyncError/unreadableSource(path:reason:)``.
  init(_ key: [RecordColumn], of file: String) throws {
    self.file = file
    isInteger = key.count == 1 && key[0].type == .integer
    let names = key.indices.map { "k\($0)" }
    insert =
      "INSERT OR IGNORE INTO keys VALUES (\((0..<names.count + 2).map { "?\($0 + 1)" }.joined(separator: ", ")))"
    let condition = names.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
    find = "SELECT digest, line FROM keys WHERE \(condition)"
    let columns = zip(names, key).map { "\($0) NOT NULL COLLATE \($1.collation.rawValue)" }
    let table =
      isInteger
      ? "CREATE TABLE keys (k0 INTEGER PRIMARY KEY, digest INTEGER NOT NULL, line INTEGER NOT NULL)"
      : "CREATE TABLE keys (\(columns.joined(separator: ", ")), digest INTEGER NOT NULL, line INTEGER NOT NULL, "
        + "PRIMARY KEY (\(names.joined(separator: ", ")))) WITHOUT ROWID"
    do {
      var configuration = Configuration()
      configuration.label = "sanderling.keys"
      // It is one transaction, which is never committed.
      configuration.allowsUnsafeTransactions = true
      queue = try DatabaseQueue(path: "", configuration: configuration)
      try queue.inDatabase { db in
        try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA cache_size = -4000; BEGIN; \(table)")
      }
    } catch let error as DatabaseError {
      throw Self.noRoom(file, error)
    }
  }

  /// Records the keys of rows.
  ///
  /// - Returns: The rows except those equal to an earlier one. Rows with the key of an earlier one but other values are
  ///   refused.
  /// - Throws: ``SyncError/unreadableSource(path:reason:)`` if there is no room for the keys.
  func note(_ rows: [SyncChange]) throws -> [SyncChange] {
    do {
      return try queue.inDatabase { try self.note(rows, $0) }
    } catch let error as DatabaseError {
      throw Self.noRoom(file, error)
    }
  }

  private func note(_ rows: [SyncChange], _ db: Database) throws -> [SyncChange] {
    var kept: [SyncChange] = []
    kept.reserveCapacity(rows.count)
    for row in rows {
      guard !row.isOfNoRow, canBeNoted(row.key), case .row(let values) = row.content else {
        kept.append(row)
        continue
      }
      let digest = StorageValue.integer(Self.digest(values))
      try db.forEachRow(of: insert) {
        try $0.bind(row.key + [digest, .integer(Int64(row.line ?? 0))])
      } row: { _ in
      }
      if db.changesCount > 0 {
        kept.append(row)
        continue
      }
      var earlier: (digest: StorageValue, line: Int64) = (.null, 0)
      try db.forEachRow(of: find) {
        try $0.bind(row.key)
      } row: { found in
        earlier = (found.storageValue(at: 0), try found.integer(at: 1, for: Int64.self))
      }
      if earlier.digest == digest { continue }
      var refused = row
      refused.refusal = RowRefusal(
        line: row.line ?? 0, place: nil,
        // It is unknown here whether the earlier row fits its table.
        reason:
          "the earlier row of line \(earlier.line) has the same key and other values (FileOptions.duplicates)")
      kept.append(refused)
    }
    return kept
  }

  /// Distinguishes values byte by byte, independent of their order. It differs in each process, like the register.
  private static func digest(_ values: [String: StorageValue]) -> Int64 {
    var sum = 0
    for (name, value) in values {
      var hasher = Hasher()
      hasher.combine(name)
      switch value {
      case .null: hasher.combine(0)
      case .integer(let integer):
        hasher.combine(1)
        hasher.combine(integer)
      case .real(let real):
        hasher.combine(2)
        hasher.combine(real.bitPattern)
      case .text(var text):
        hasher.combine(3)
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      case .blob(let data):
        hasher.combine(4)
        hasher.combine(data)
      }
      sum &+= hasher.finalize()
    }
    return Int64(sum)
  }

  /// Whether the key can belong to a row. Other keys never fit.
  private func canBeNoted(_ key: [StorageValue]) -> Bool {
    guard isInteger else { return true }
    if case .integer = key[0] { return true }
    return false
  }

  private static func noRoom(_ file: String, _ error: DatabaseError) -> SyncError {
    .unreadableSource(
      path: file,
      reason:
        "the keys of its rows can't be stored in a temporary file (\(error.message ?? "\(error.resultCode)")). Free space there, "
        + "set SQLITE_TMPDIR to another folder, or use the last row of each key (FileOptions.duplicates)")
  }
}
