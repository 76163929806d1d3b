import SanderlingDiagnosis
import Testing

/// Two values are equal if SQLite stores the same type and bytes.
struct BoundValueTests {
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  @Test func textsWithDifferentBytesDiffer() {
    // Swift compares the two texts as equal.
    #expect(composed == decomposed)
    #expect(BoundValue.text(composed) != .text(decomposed))
    #expect(Set([BoundValue.text(composed), .text(decomposed), .text(composed)]).count == 2)
  }

  @Test func valuesOfDifferentTypesDiffer() {
    let values: [BoundValue] = [
      .null, .integer(0), .integer(1), .real(0), .real(1), .text(""), .text("1"), .blob([]), .blob([49]),
    ]
    #expect(Set(values).count == values.count)
    for (index, value) in values.enumerated() {
      #expect(values.firstIndex(of: value) == index)
    }
  }

  /// A workload keeps two texts with different bytes as two values, since they find different rows.
  @Test func aWorkloadKeepsBothSpellings() throws {
    let sql = "SELECT * FROM place WHERE name = ?"
    let lines = [composed, decomposed, composed].map { text in
      #"{"expandedSQL":"SELECT * FROM place WHERE name = '\#(text)'","rows":1,"sql":"\#(sql)"}"#
    }
    let log = try LogFile(lines.joined(separator: "\n"))
    var reader = WorkloadReader()
    try reader.addLog(at: log.url, named: "trace.jsonl")
    #expect(reader.workload.statements.map(\.bindings) == [[[1: .text(composed)], [1: .text(decomposed)]]])
  }
}
