import ArgumentParser
import Foundation
import GRDB
import SanderlingDiagnosis
import Testing

@testable import SanderlingCLI

/// `sanderling profile` writes complete files or none, and doesn't overwrite existing files.
struct ProfileCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(_ arguments: String...) throws {
    let command = try ProfileCommand.parse(arguments + ["--quiet"])
    try command.run()
  }

  private func makeDatabase() throws -> String {
    let path = folder.file("app.sqlite")
    try DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          CREATE TABLE task (id INTEGER PRIMARY KEY, title TEXT NOT NULL, state TEXT NOT NULL);
          WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
          INSERT INTO task SELECT i, 'Secretive ' || i, iif(i % 10, 'finished', 'waiting') FROM n;
          """)
    }
    return path
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.file("")).sorted() }
  }

  @Test func aDatabaseIsMadeFromAProfile() throws {
    let database = try makeDatabase()
    let (profile, made) = (folder.file("task.json"), folder.file("made.sqlite"))
    try run(database, "SELECT * FROM task WHERE state = 'waiting'", "--output", profile)
    let text = try String(contentsOfFile: profile, encoding: .utf8)
    for secret in ["Secretive", "waiting", "finished"] { #expect(!text.contains(secret)) }
    #expect(text.contains("\"state\""))
    try run("--generate", profile, made, "--seed", "7")
    #expect(try files == ["app.sqlite", "made.sqlite", "made.sqlite.trace.jsonl", "task.json"])
    var reader = WorkloadReader()
    try reader.addLog(at: URL(filePath: made + ".trace.jsonl"))
    let statement = try #require(reader.workload.statements.first)
    let found = try DatabaseQueue(path: made).read { try Row.fetchAll($0, sql: statement.sql).count }
    #expect(found == 50)
  }

  @Test func existingFilesAreNotOverwritten() throws {
    let database = try makeDatabase()
    let profile = folder.file("task.json")
    try run(database, "--output", profile)
    let before = try (Data(contentsOf: URL(filePath: database)), Data(contentsOf: URL(filePath: profile)))
    #expect(throws: ProfileCommandError.exists(profile)) { try run(database, "--output", profile) }
    #expect(throws: ProfileCommandError.exists(database)) { try run("--generate", profile, database) }
    // The trace file beside the database isn't overwritten either.
    let made = folder.file("made.sqlite")
    try Data("mine".utf8).write(to: URL(filePath: made + ".trace.jsonl"))
    #expect(throws: ProfileCommandError.exists(made + ".trace.jsonl")) { try run("--generate", profile, made) }
    #expect(try (Data(contentsOf: URL(filePath: database)), Data(contentsOf: URL(filePath: profile))) == before)
    #expect(try !files.contains("made.sqlite"))
  }

  @Test func unreadableInputWritesNoFiles() throws {
    let database = try makeDatabase()
    let output = folder.file("task.json")
    let foreign = folder.file("encrypted.sqlite")
    try Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 * 31 + 7) }).write(to: URL(filePath: foreign))
    var damaged = try Data(contentsOf: URL(filePath: database))
    damaged.replaceSubrange(
      100..<min(3000, damaged.count), with: Data(repeating: 0xff, count: min(2900, damaged.count - 100)))
    try damaged.write(to: URL(filePath: folder.file("damaged.sqlite")))
    try Data().write(to: URL(filePath: folder.file("empty.sqlite")))
    let before = try files
    for path in ["none.sqlite", "encrypted.sqlite", "damaged.sqlite", "empty.sqlite", ""].map(folder.file) {
      let error = #expect(throws: ProfileCommandError.self) { try run(path, "--output", output) }
      #expect(error?.description.hasSuffix(".") == true)
    }
    #expect(throws: ProfileCommandError.self) { try run("--generate", database, folder.file("made.sqlite")) }
    #expect(throws: ProfileCommandError.self) {
      try run("--generate", folder.file("none.json"), folder.file("made.sqlite"))
    }
    let missing = folder.file("no/folder.json")
    let error = #expect(throws: ProfileCommandError.self) { try run(database, "--output", missing) }
    #expect(
      error?.description
        == "\(missing) can't be written: the folder is missing, or can't be written to. Name another file.")
    #expect(try files == before)
  }

  @Test func aLockedDatabase() throws {
    let database = try makeDatabase()
    try DatabaseQueue(path: database).inDatabase { db in
      try db.execute(sql: "BEGIN EXCLUSIVE")
      let error = #expect(throws: ProfileCommandError.self) { try run(database, "--output", folder.file("task.json")) }
      #expect(error?.description.contains("locked") == true)
      try db.execute(sql: "ROLLBACK")
    }
    #expect(try !files.contains("task.json"))
  }

  @Test(
    arguments: [
      [], ["-"], ["a.sqlite", "--budget", "0"], ["a.sqlite", "--disk", "0"], ["a.sqlite", "--seed", "3"],
      ["a.sqlite", "  "],
      ["a.sqlite", "--generate", "p.json", "SELECT 1"], ["a.sqlite", "--generate", "p.json", "--dry-run"],
      ["a.sqlite", "--dry-run", "--output", "p.json"], ["a.sqlite", "--generate", ""],
      ["a.sqlite", "--log", "-", "--trace", "-"],
    ])
  func invalidArgumentsAreRefused(arguments: [String]) {
    #expect(throws: (any Error).self) { try ProfileCommand.parse(arguments) }
  }
}
