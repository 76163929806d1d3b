import Testing

@Suite(.enabled(if: ExpertAdvice.shell != nil, "needs the sqlite3 shell"))
struct ExpertAdviceTests {
  @Test func proposalsOfTheShellAreReadForEachStatement() async throws {
    let advice = try await ExpertAdvice.advice(for: Corpus["todo"])
    let proposal = try #require(advice["todo-13"])
    #expect(proposal.changes.count == 1)
    #expect(proposal.changes.first?.contains("ON taskLabel(labelId)") == true)
    #expect(advice["todo-05"] == nil)
  }

  @Test func proposalsAreScoredByTheirEffect() async throws {
    var score = CorpusScore(name: ".expert")
    try await score.add(Corpus["todo"], advice: try await ExpertAdvice.advice(for: Corpus["todo"]))
    let outcomes = Dictionary(uniqueKeysWithValues: score.outcomes.map { ($0.id, $0) })
    #expect(outcomes["todo-13"]?.gain ?? 0 > 0.9)
    #expect(outcomes["todo-07"]?.wrong?.hasPrefix("proposes a change of a statement that is fine") == true)
    #expect(outcomes["todo-01"]?.isFound == false)
  }
}
