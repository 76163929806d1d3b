import Foundation
import Testing

@testable import SanderlingDiagnosis

/// A database, its profile, and a database that is generated from the profile.
struct ProfileFixture {
  /// The seed of random tests. `SANDERLING_SEED=…` repeats a test.
  static var seed: UInt64 {
    ProcessInfo.processInfo.environment["SANDERLING_SEED"].flatMap(UInt64.init) ?? .random(in: 0..<1 << 32)
  }

  let fixture: DatabaseFixture
  let profile: DatabaseProfile
  let generated: GeneratedDatabase

  /// - Parameter statements: SQL with sets of values for its parameters.
  init(_ sql: String, _ statements: [(sql: String, bindings: [[BoundValue]])] = [], seed: UInt64 = 1) throws {
    fixture = try DatabaseFixture()
    _ = try fixture.app("app.sqlite", sql)
    var workload = Workload()
    for (index, statement) in statements.enumerated() {
      workload.statements.append(
        WorkloadStatement(
          id: index + 1, fingerprint: statement.sql, sql: statement.sql,
          bindings: statement.bindings.map { values in
            Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0.offset + 1, $0.element) })
          }))
    }
    profile = try DatabaseProfile(json: DatabaseProfile.of(fixture.url(), workload: workload).json)
    generated = try profile.generate(at: fixture.url("made.sqlite"), seed: seed)
  }

  /// All rows of a query on the original database or on the generated one.
  func rows(_ sql: String, _ bindings: [BoundValue] = [], original: Bool = false) throws -> [[BoundValue]] {
    let connection = try SQLiteConnection(
      path: fixture.url(original ? "app.sqlite" : "made.sqlite").path, mode: .readOnly)
    return try connection.rows(sql, bindings)
  }

  func count(_ sql: String, _ bindings: [BoundValue] = [], original: Bool = false) throws -> Int64 {
    try #require(try rows(sql, bindings, original: original)[0][0].integer)
  }

  /// The number of rows that a statement of the profile finds in the generated database, with each set of its values.
  func counts(of index: Int) throws -> [Int64] {
    let statement = profile.content.statements[index]
    let connection = try SQLiteConnection(path: fixture.url("made.sqlite").path, mode: .readOnly)
    return try (statement.bindings.isEmpty ? [[:]] : statement.bindings).map { set in
      let values = try set.mapValues { try connection.value("SELECT \($0)") ?? .null }
      let prepared = try connection.prepare(statement.sql)
      try prepared.bind(values)
      var count: Int64 = 0
      while try prepared.step() { count += 1 }
      return count
    }
  }
}
