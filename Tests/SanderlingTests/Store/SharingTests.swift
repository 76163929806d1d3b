import Foundation
import TestPrograms
import Testing

/// A process that may only read opens a file that another process wrote, after that process ended.
@Suite(.enabled(if: BuildFolder.program("StoreKillHelper") != nil))
struct SharingTests {
  let folder = TemporaryFolder()

  @Test func readerOpensIfTheWriterKeptTheLogFiles() throws {
    try run("share")
    #expect(try folder.fileNames == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
    #expect(try read() == ["read 1"])
  }

  @Test func readerDoesNotOpenWithoutTheLogFiles() throws {
    try run("leave")
    #expect(try folder.fileNames == ["store.sqlite"])
    let lines = try read()
    // SQLite reports that the file can't be opened, or that its folder can't be written.
    #expect(lines.count == 1 && lines.first?.hasPrefix(folder.path()) == true, "\(lines)")
  }

  /// Runs a process that reads the store and may change neither the files nor the folder. Returns the lines that it
  /// wrote.
  private func read() throws -> [String] {
    let paths = try folder.fileNames.map { folder.path($0) }
    for path in paths { try permit(0o444, path) }
    try permit(0o555, folder.url.path)
    defer { try? permit(0o755, folder.url.path) }
    return try run("read")
  }

  private func permit(_ permissions: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
  }

  @discardableResult
  private func run(_ mode: String) throws -> [String] {
    let helper = try #require(BuildFolder.program("StoreKillHelper"))
    return try Program.run(helper.path, [mode, folder.path(), "1"]).output
      .split(separator: "\n").map(String.init)
  }
}
