import SanderlingDiagnosis
import Testing

/// The score is right for advice that is known to be right, missing or wrong.
struct CorpusScoreTests {
  @Test(arguments: ["todo", "commerce"])
  func recordedBestFixesScoreBest(name: String) async throws {
    let schema = try #require(Corpus.schemas.first { $0.name == name })
    var advice: [String: CorpusAdvice] = [:]
    for statement in schema.statements {
      guard case .fix(let kinds, let best, _, _) = statement.verdict else { continue }
      advice[statement.id] = CorpusAdvice(kinds: kinds, changes: best.changes, replacement: best.replacement)
    }
    var score = CorpusScore(name: "written down")
    try await score.add(schema, advice: advice)
    #expect(score.found == 1)
    #expect(score.wrong == 0)
    #expect(score.gain > 0.97, "\(score)")
  }

  @Test func silenceFindsNoProblemAndIsNeverWrong() async throws {
    var score = CorpusScore(name: "silent")
    let silence = Dictionary(
      uniqueKeysWithValues: Corpus["todo"].statements.map { ($0.id, CorpusAdvice(kinds: [])) })
    try await score.add(Corpus["todo"], advice: silence)
    #expect(score.found == 0)
    #expect(score.wrong == 0)
    #expect(score.gain == 0)
  }

  @Test func harmfulOrUnneededAdviceIsWrong() async throws {
    var score = CorpusScore(name: "wrong")
    try await score.add(
      Corpus["todo"],
      advice: [
        "todo-01": CorpusAdvice(kinds: [.joinFanOut], replacement: "SELECT * FROM project WHERE id = ?"),
        "todo-03": CorpusAdvice(kinds: [.sortWithoutIndex], changes: ["CREATE INDEX i ON task (missing)"]),
        "todo-05": CorpusAdvice(kinds: [.fullScan], changes: ["CREATE INDEX i ON task (id, content)"]),
        "todo-13": CorpusAdvice(kinds: [.sortWithoutIndex], changes: ["CREATE INDEX i ON taskLabel (labelId)"]),
      ])
    let outcomes = Dictionary(uniqueKeysWithValues: score.outcomes.map { ($0.id, $0) })
    #expect(outcomes["todo-01"]?.wrong == "changes the results")
    #expect(outcomes["todo-03"]?.wrong?.hasPrefix("can't be applied") == true)
    #expect(outcomes["todo-05"]?.wrong == "proposes a change of a statement that is fine")
    #expect(outcomes["todo-13"]?.wrong == nil)
    #expect(outcomes["todo-13"]?.isFound == false)
    #expect(outcomes["todo-13"]?.gain == 1)
  }
}
