import Testing

@testable import SanderlingDiagnosis

/// Indexes for an OR beside other conditions. An index serves one branch of the OR together with the other conditions.
struct AlternativeIndexTests {
  private static let entries = """
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, number INTEGER NOT NULL, low INTEGER NOT NULL, high INTEGER, flag INTEGER NOT NULL,
      note TEXT, UNIQUE (channel, number));
    \(AdviceFixture.numbers(20_000)) INSERT INTO entry
      SELECT i, i % 10, i, i, iif(i > 19900, NULL, i + 30), i % 4000 = 0, printf('%.60c', 'x') FROM n
    """

  private func columns(
    _ sql: String, _ bindings: [Int: BoundValue], entries: String = entries
  ) throws -> Set<[String]> {
    let fixture = try AdviceFixture(entries)
    let advice = try fixture.advise(sql, [bindings])
    return Set(advice.candidates.map { $0.keys.compactMap(\.column) })
  }

  /// The advisor proposes an index although a unique index begins with the same column. The unique index finds all rows
  /// of a channel.
  @Test func sameColumnsInBothBranchesGetAnIndex() throws {
    let found = try columns(
      "SELECT number, note FROM entry WHERE channel = ?1 AND low <= ?2 AND (high IS NULL OR high >= ?2)",
      [1: .integer(3), 2: .integer(19_800)])
    #expect(found == [["channel", "high"]])
  }

  /// With the statistics of ANALYZE, SQLite knows that a channel has many rows. It then searches each branch of the OR
  /// by an index of its own.
  @Test func aColumnForEachBranch() throws {
    let found = try columns(
      "SELECT id, note FROM entry WHERE channel = ?1 AND (low = ?2 OR high = ?2)", [1: .integer(3), 2: .integer(45)],
      entries: Self.entries + "; UPDATE entry SET low = id / 10 % 100, high = id / 10 % 90; ANALYZE;")
    #expect(found == [["channel", "low"], ["channel", "high"]])
  }

  @Test func candidatesBeginWithTheEqualColumns() throws {
    let fixture = try AdviceFixture(Self.entries)
    func alternatives(_ condition: String) throws -> [[String]] {
      let shape = try ShapeReader.shape(
        of: "SELECT note FROM entry e WHERE \(condition)", in: fixture.schema.description)
      return IndexCandidates(schema: fixture.schema, facts: fixture.advisor.facts).candidates(for: shape)
        .filter { $0.purposes.contains(.alternative) }.map { $0.keys.compactMap(\.column) }
    }
    #expect(try alternatives("low = 3 OR high = 4") == [["low"], ["high"]])
    #expect(
      try alternatives("channel = 1 AND (low = 3 OR high > 4)")
        == [["low"], ["channel", "low"], ["high"], ["channel", "high"]])
    #expect(
      try alternatives("channel = 1 AND flag = 0 AND (high IS NULL OR high > 4)") == [
        ["high"], ["channel", "flag", "high"],
      ])
    // A branch with an equality on a column that is already equal in all rows.
    #expect(
      try alternatives("channel = 1 AND (channel = 2 AND low = 1 OR high = 4)").contains(["channel", "low"]))
    #expect(try alternatives("channel = 1 AND (note <> ?1 OR high = 4)").isEmpty)
  }

  /// The index contains the columns of a branch's other conditions. SQLite then looks up only matching rows in the
  /// table.
  @Test func indexContainsTheOtherConditionsOfABranch() throws {
    let found = try columns(
      "SELECT id, note FROM entry WHERE high < ?1 OR (high IS NULL AND flag <> 0) ORDER BY id LIMIT 1",
      [1: .integer(20)], entries: Self.entries + "; UPDATE entry SET high = NULL WHERE id % 4 > 0;")
    #expect(found == [["high", "flag"]])
  }

  /// SQLite also uses an index for each branch of an OR that stands inside a branch of another OR.
  @Test func alternativesWithinAlternatives() throws {
    let found = try columns(
      "SELECT id, note FROM entry WHERE (low <= ?1 AND (high IS NULL OR high >= ?2)) OR (number >= ?3 AND number <= ?4)",
      [1: .integer(19_850), 2: .integer(19_820), 3: .integer(100), 4: .integer(200)])
    #expect(found == [["high", "low"], ["number"]] || found == [["high"], ["number"]])
  }

  /// A condition on a view is served by indexes of the view's tables.
  @Test func conditionsOnAView() throws {
    let view = "; CREATE VIEW entries AS SELECT e.id, e.low AS lower, e.high AS upper, e.note FROM entry e;"
    let found = try columns(
      "SELECT id, note FROM entries WHERE lower = ?1 OR upper = ?1", [1: .integer(45)], entries: Self.entries + view)
    #expect(found == [["low"], ["high"]])
  }
}
