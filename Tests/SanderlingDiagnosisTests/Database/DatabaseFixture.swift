import Foundation
import SanderlingSQLite
import Testing

@testable import SanderlingDiagnosis

/// A temporary folder with databases that a test creates as an app would.
final class DatabaseFixture {
  let folder: URL

  init() throws {
    let made = FileManager.default.temporaryDirectory.appendingPathComponent("diagnosis-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    // Errors name files by their resolved paths, and the path of the temporary folder may contain symbolic links.
    let path = try #require(realpath(made.path, nil))
    defer { free(path) }
    folder = URL(fileURLWithPath: String(cString: path))
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func url(_ name: String = "app.sqlite") -> URL { folder.appendingPathComponent(name) }

  /// Opens a file as an app does and runs SQL in it.
  func app(_ name: String = "app.sqlite", _ sql: String = "") throws -> AppConnection {
    let app = try AppConnection(url(name))
    if !sql.isEmpty { try app.run(sql) }
    return app
  }

  /// A copy of a database that `sql` creates.
  func copy(_ sql: String) throws -> DatabaseCopy {
    _ = try app("app.sqlite", sql)
    return try DatabaseCopy(of: url(), options: options)
  }

  var options: DatabaseCopy.Options {
    DatabaseCopy.Options(temporaryFolder: folder, lockTimeout: .milliseconds(50))
  }

  /// The names, sizes, contents and modification times of all files in the folder.
  func state() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      let path = url(name).path
      let state = SourceFile.state(of: path)
      let bytes = FileManager.default.contents(atPath: path)?.hashValue ?? 0
      return "\(name) \(state.map { "\($0.bytes) \($0.seconds).\($0.nanoseconds)" } ?? "") \(bytes)"
    }
  }
}

/// A connection of SQLite without the precautions of the diagnosis.
final class AppConnection {
  private var handle: OpaquePointer?

  init(_ url: URL) throws {
    try #require(sqlite3_open(url.path, &handle) == SQLITE_OK)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  func run(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
  }

  func addCollation(_ name: String) {
    sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, nil, { _, _, _, _, _ in 0 }, nil)
    sqlite3_create_collation_v2(
      handle, name, SQLITE_UTF8, nil,
      { _, count, bytes, otherCount, otherBytes in
        // Backwards, which no stand-in would guess.
        let order = memcmp(bytes ?? otherBytes!, otherBytes ?? bytes!, Int(min(count, otherCount)))
        return order == 0 ? otherCount - count : -order
      }, nil)
  }
}
