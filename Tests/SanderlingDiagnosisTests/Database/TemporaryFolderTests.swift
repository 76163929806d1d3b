import Foundation
import Testing

@testable import SanderlingDiagnosis

@Suite struct TemporaryFolderTests {
  let fixture: DatabaseFixture

  init() throws {
    fixture = try DatabaseFixture()
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
  }

  @Test func privateAndRemoved() throws {
    do {
      let folder = try TemporaryFolder(in: fixture.folder)
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
      try Data([1]).write(to: folder.url.appendingPathComponent("x"))
      #expect(try names().count == 1 && folder.freeBytes ?? 0 > 0)
    }
    #expect(try names() == [])
    let folder = try TemporaryFolder(in: fixture.folder)
    folder.remove()
    folder.remove()
    #expect(try names() == [])
  }

  /// The folder of a killed process has a process file without a lock, and is removed. Other folders stay.
  @Test func leftByDeadProcesses() throws {
    let inUse = try TemporaryFolder(in: fixture.folder)
    for (name, content) in [("dead", "1\n"), ("beginning", ""), ("other", nil)] as [(String, String?)] {
      let left = fixture.url(TemporaryFolder.namePrefix + name)
      try FileManager.default.createDirectory(at: left, withIntermediateDirectories: false)
      if let content { try Data(content.utf8).write(to: left.appendingPathComponent("process.pid")) }
    }
    let elsewhere = try DatabaseFixture()
    try Data("1\n".utf8).write(to: elsewhere.url("process.pid"))
    try FileManager.default.createSymbolicLink(
      at: fixture.url(TemporaryFolder.namePrefix + "link"), withDestinationURL: elsewhere.folder)
    let next = try TemporaryFolder(in: fixture.folder)
    let expected =
      [inUse.url, next.url].map(\.lastPathComponent)
      + ["beginning", "other", "link"].map { TemporaryFolder.namePrefix + $0 }
    #expect(Set(try names()) == Set(expected))
    #expect(FileManager.default.fileExists(atPath: elsewhere.url("process.pid").path))
  }

  /// Each new folder looks for folders of dead processes, and meets the folders that others are creating.
  @Test func manyAtOnce() async throws {
    let parent = fixture.folder
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<300 { _ = try TemporaryFolder(in: parent) } }
      }
      try await group.waitForAll()
    }
    #expect(try names() == [])
  }

  @Test func noPlaceForIt() throws {
    #expect(throws: DiagnosisError.self) { try TemporaryFolder(in: fixture.url("none")) }
  }
}
