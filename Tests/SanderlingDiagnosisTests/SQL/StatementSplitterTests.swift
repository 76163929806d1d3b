import Testing

@testable import SanderlingDiagnosis

@Suite struct StatementSplitterTests {
  @Test func splitsAtSemicolonsOutsideOfStringsAndComments() {
    let statements = StatementSplitter.split("-- notes\nSELECT ';' ; ;\n\nSELECT /* ; */ 2 -- end")
    #expect(statements.map(\.sql) == ["SELECT ';'", "SELECT /* ; */ 2"])
    #expect(statements.map(\.line) == [2, 4])
    #expect(statements.map(\.isTerminated) == [true, false])
  }

  @Test func keepsATriggerWhole() {
    let trigger = "CREATE TEMP TRIGGER a AFTER INSERT ON t BEGIN SELECT CASE 1 WHEN 2 THEN 3 END; DELETE FROM u; END"
    #expect(StatementSplitter.split(trigger + "; SELECT 1").map(\.sql) == [trigger, "SELECT 1"])
  }

  @Test func knowsWhenAStatementIsWhole() {
    #expect(StatementSplitter.isComplete("SELECT 1; -- yes"))
    #expect(!StatementSplitter.isComplete("SELECT ';"))
    #expect(!StatementSplitter.isComplete("CREATE TRIGGER a AFTER INSERT ON t BEGIN SELECT 1;"))
    #expect(!StatementSplitter.isComplete(""))
  }
}
