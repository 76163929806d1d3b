import Foundation
import SanderlingDiagnosis
import Testing

/// The findings on the databases of the corpus are also found on databases that are generated from their profiles.
///
/// Time limits a diagnosis, so these tests run alone: `make corpus-profiles`. `SANDERLING_CORPUS_SCHEMAS=chat,mail`
/// compares only these schemas.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["SANDERLING_CORPUS_PROFILES"] != nil))
struct ProfileCorpusTests {
  @Test func generatedDatabasesHaveTheFindingsOfTheOriginals() async throws {
    let fixture = try DatabaseFixture()
    var score = ProfileScore()
    for schema in CorpusTests.schemas {
      let path = try await CorpusFolder.shared.path(of: schema)
      let clock = ContinuousClock()
      var start = clock.now
      let made = try DatabaseProfile.of(URL(fileURLWithPath: path), workload: schema.workload)
      let json = try made.json
      let profiled = start.duration(to: clock.now)
      start = clock.now
      let profile = try DatabaseProfile(json: json)
      let url = fixture.url("\(schema.name).sqlite")
      let generated = try profile.generate(at: url, seed: 1)
      print(
        "\(schema.name): profile of \(json.count) bytes in \(profiled), \(generated.rows) rows in \(start.duration(to: clock.now))"
      )
      for note in profile.notes + generated.notes { print("  \(note)") }
      let trace = fixture.url("\(schema.name).jsonl")
      try Data(profile.trace.utf8).write(to: trace)
      if let folder = ProcessInfo.processInfo.environment["SANDERLING_CORPUS_REPORTS"] {
        try json.write(to: URL(fileURLWithPath: folder).appendingPathComponent("\(schema.name).profile.json"))
        try Data(profile.trace.utf8).write(
          to: URL(fileURLWithPath: folder).appendingPathComponent("\(schema.name).jsonl"))
      }
      let workload = schema.workload(like: profile, trace)
      let comparison = ProfileComparison(
        name: schema.name, original: try Diagnosis(database: URL(fileURLWithPath: path)).run(schema.workload),
        generated: try Diagnosis(database: url).run(try workload()))
      score.add(comparison)
      print(
        "\(schema.name): \(comparison.commonFindings) of \(comparison.original.found.count), \(comparison.commonIndexes) of \(comparison.original.indexes.count)"
      )
      for line in comparison.differences { print("  \(line)") }
      try? FileManager.default.removeItem(at: url)
    }
    print(score)
    #expect(score.foundAgain >= 0.9)
    #expect(score.advisedAgain >= 0.9)
  }
}

extension CorpusSchema {
  /// Reads the workload of a profile from its trace, with the statements in the same order.
  fileprivate func workload(like profile: DatabaseProfile, _ trace: URL) -> () throws -> Workload {
    {
      var reader = WorkloadReader()
      try reader.addLog(at: trace)
      return reader.workload
    }
  }
}
