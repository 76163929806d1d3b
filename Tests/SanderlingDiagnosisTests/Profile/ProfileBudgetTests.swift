import Foundation
import Testing

@testable import SanderlingDiagnosis

/// A profile whose time ends is completed from samples, at whatever moment the time ends.
struct ProfileBudgetTests {
  private let fixture: DatabaseFixture

  init() throws {
    fixture = try DatabaseFixture()
    _ = try fixture.app(
      "app.sqlite",
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, score REAL, data TEXT);
      CREATE TABLE visit (id INTEGER PRIMARY KEY, person INTEGER REFERENCES person (id), day TEXT, note TEXT);
      CREATE INDEX visit_person ON visit (person);
      \(DetectorFixture.numbers(30_000)) INSERT INTO person SELECT i, 'Person ' || i, nullif('City ' || (i % 90), 'City 7'), i / 7.0,
        '{"level": ' || (i % 5) || '}' FROM n;
      \(DetectorFixture.numbers(40_000)) INSERT INTO visit SELECT i, i * 7919 % 30000 + 1, date('2020-01-01', '+' || (i % 900) || ' days'),
        'note ' || i FROM n;
      """)
  }

  private func profile(endingAfter questions: Int) throws -> DatabaseProfile {
    var reader = WorkloadReader()
    reader.add(
      sql: "SELECT * FROM person JOIN visit ON visit.person = person.id WHERE city = 'City 5' AND day > '2021-01-01'")
    var options = DatabaseProfile.Options()
    options.deadline = .afterQuestions(questions)
    return try DatabaseProfile.of(fixture.url(), workload: reader.workload, options: options)
  }

  @Test func profileIsCompleteWheneverTheTimeEnds() throws {
    var (questions, counted) = (0, Set<Int>())
    while counted.max() != 9, questions < 1_000_000 {
      let profile = try profile(endingAfter: questions)
      let tables = profile.content.tables
      #expect(tables.map(\.rows) == [30_000, 40_000])
      #expect(tables.map(\.columns.count) == [5, 4])
      let columns = tables.flatMap(\.columns)
      let found = columns.count { $0.distinct != nil }
      counted.insert(found)
      // The profile describes each column, from all values or from a sample.
      #expect(columns.allSatisfy { $0.distinct != nil || $0.parts?.isEmpty == false }, "\(questions)")
      if found < 9 { #expect(profile.notes.contains { $0.contains("their figures come from a sample") }) }
      let nulls = try #require(columns.first { $0.name == "city" }).nulls
      #expect((200...500).contains(nulls), "\(nulls) after \(questions)")
      #expect(profile.content.statements.count == 1)
      // The JSON of the profile can be read.
      _ = try DatabaseProfile(json: profile.json)
      questions = max(questions + 1, questions * 3 / 2)
    }
    #expect(counted.contains(0) && counted.contains(9) && counted.count > 3, "\(counted.sorted())")
  }

  /// The counts before the time limit are kept, and a database can be generated from them.
  @Test func databaseIsGeneratedFromPartialCounts() throws {
    var (questions, made) = (1, false)
    while !made, questions < 1_000_000 {
      let profile = try profile(endingAfter: questions)
      let found = profile.content.tables.flatMap(\.columns).count { $0.distinct != nil }
      if (2...6).contains(found) {
        let generated = try profile.generate(at: fixture.url("made.sqlite"), seed: 1)
        // Keys that were not counted may be generated twice, and a second row with a key is left out.
        #expect(generated.rows > 69_000)
        made = true
      }
      questions = max(questions + 1, questions * 3 / 2)
    }
    #expect(made)
  }
}
