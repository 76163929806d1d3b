import Foundation
import GRDB
import TestPrograms
import Testing

@testable import SanderlingCLI

/// `sanderling sync --check` prints its findings, and changes nothing.
struct SyncCheckTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func check(_ server: ScriptedServer, _ arguments: String...) throws -> Subcommand.Result {
    let address = server.url.absoluteString
    return try Subcommand(
      DemoRun.executable, ["sync", address, "--server", "json", "--into", "app.sqlite", "--check"] + arguments,
      directory: folder.path
    ).result()
  }

  /// A check passes if each column of the table has its field at the server.
  @Test func aServerIsChecked() throws {
    let table = try DatabaseQueue(path: folder.file("app.sqlite"))
    try table.write {
      try $0.execute(
        sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL) STRICT")
    }
    try table.close()
    let server = try ScriptedServer { _, _ in .json("{\"rows\":[{\"id\":1,\"name\":\"a\",\"size\":2}]}") }
    let result = try check(server, "--record", "item", "--rows", "rows")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("ok        item: each column has its field\n"), "\(result.output)")
    #expect(!result.output.contains("wrong"))
    // A check finds a field with another name, and ends with exit code 2.
    let other = try ScriptedServer { _, _ in .json("{\"rows\":[{\"id\":1,\"name\":\"a\",\"length\":2}]}") }
    let wrong = try check(other, "--record", "item", "--rows", "rows")
    #expect(wrong.status == 2)
    #expect(
      wrong.output.contains("wrong     item: no row has the field size, of the column size"), "\(wrong.output)")
    let count = try DatabaseQueue(path: folder.file("app.sqlite")).read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM item")
    }
    #expect(count == 0)
  }

  /// A check makes no database.
  @Test func checkCreatesNoDatabase() throws {
    let server = try ScriptedServer { _, _ in .json("[{\"id\":1}]") }
    let result = try check(server, "--record", "item")
    #expect(result.status == 0 && result.output.contains("item: "), "\(result.output)\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("app.sqlite")))
  }
}
