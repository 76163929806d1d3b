import Foundation
import GRDB
import TestPrograms
import Testing

/// `sanderling diagnose` removes its copy when it is interrupted while it tries indexes.
struct DiagnoseInterruptionTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func leavesNoTemporaryFolder(signal: Int32) async throws {
    let folder = try TemporaryFolder()
    let copies = folder.file("copies")
    try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: false)
    let database = folder.file("app.sqlite")
    try makeDatabase(at: database)
    let before = try Data(contentsOf: URL(filePath: database))

    let run = try Subcommand(
      DemoRun.executable,
      ["diagnose", database, "--temporary-folder", copies, "--quiet"]
        + (1...9).map { "SELECT * FROM item WHERE a\($0) = 7 ORDER BY name" })
    // Sends the signal as soon as the copy is larger than the database, because of a trial's index.
    try await run.program.end(by: signal, asking: 0.002) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: copies)) ?? []
      return names.contains { name in
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(copies)/\(name)/copy.sqlite")
        return (attributes?[.size] as? NSNumber).map { $0.intValue > before.count } ?? false
      }
    }
    let result = try run.result()
    // The program ends by the signal itself, which a shell reports as 128 plus the signal's number.
    #expect(run.program.wait() == .killed(signal))
    #expect(result.output == "")
    #expect(try FileManager.default.contentsOfDirectory(atPath: copies) == [])
    #expect(try Data(contentsOf: URL(filePath: database)) == before)
  }

  private func makeDatabase(at path: String) throws {
    try DatabaseQueue(path: path).write { db in
      let columns = (1...9).map { "a\($0) INTEGER" }.joined(separator: ", ")
      let values = (1...9).map { "i * \(7919 + 2 * $0) % 1000" }.joined(separator: ", ")
      try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, \(columns))")
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
          INSERT INTO item SELECT i, 'Item ' || i, \(values) FROM n
          """)
    }
  }
}
