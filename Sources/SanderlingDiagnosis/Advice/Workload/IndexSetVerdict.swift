/// Describes the effect of a set of indexes, and the indexes that were left out.
struct IndexSetVerdict {
  let result: IndexAdvice
  let advice: [StatementAdvice]
  let names: IndexNames
  let writes: WorkloadWrites
  let leftOut: [IndexSetSearch.LeftOut]
  /// Whether the plans are the plans after ANALYZE.
  let isAnalyzing: Bool
  /// Whether there was no time to measure all sets.
  let isIncomplete: Bool

  var text: String {
    var sentences: [String] = []
    if result.create.isEmpty {
      let wanted = advice.contains { !$0.candidates.isEmpty }
      sentences.append(
        wanted
          ? "No new index: those that help single statements cost the workload's writes more than they save."
          : "No new index: none makes these statements enough cheaper.")
    } else {
      let better = result.gains.count(where: \.isGain)
      sentences.append(
        "\(Self.count(result.create.count, "index", "indexes")) for \(better == 1 ? "one statement" : "\(better) statements")"
          + (result.writeCost.map { ", with writes at \(Self.times($0)) of their cost" } ?? "") + ".")
    }
    sentences += leftOut.prefix(3).map(sentence)
    if writes.isAssumed, !result.create.isEmpty {
      sentences.append(
        "The workload has no writes: one row inserted into each table for \(WorkloadWrites.readsPerInsertion) "
          + "executions was assumed.")
    }
    if !result.drop.isEmpty {
      sentences.append(
        "\(Self.count(result.drop.count, "index does", "indexes do")) nothing that others don't do, for "
          + "the statements of this workload; code that it doesn't show, and INDEXED BY, may need them.")
    }
    let analyzed = advice.filter { if case .analyze = $0.change { true } else { false } }.map { "S\($0.statement)" }
    if isAnalyzing {
      sentences.append("They were chosen for the plans after ANALYZE, which is part of the migration.")
    } else if !analyzed.isEmpty {
      sentences.append("For \(analyzed.joined(separator: ", ")), ANALYZE is enough.")
    }
    if isIncomplete { sentences.append("The time ended before all sets were measured.") }
    return sentences.joined(separator: " ")
  }

  private func sentence(_ leftOut: IndexSetSearch.LeftOut) -> String {
    let indexes = leftOut.indexes.map(names.name).joined(separator: " and ")
    func reason(_ pronoun: String) -> String? {
      leftOut.loser.map {
        leftOut.isMisused
          ? "SQLite would use \(pronoun) for S\($0), which takes more then"
          : "S\($0) would have to keep \(pronoun) up to date"
      }
    }
    let isOne = leftOut.indexes.count == 1
    return "S\(leftOut.statement) alone would gain from \(indexes), which \(isOne ? "is" : "are") left out: "
      + (reason(isOne ? "it" : "them") ?? (isOne ? "it costs more than it saves" : "they cost more than they save"))
      + "."
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    number == 1 ? "One \(one)" : "\(number) \(many)"
  }

  /// `1.25 ×`
  private static func times(_ factor: Double) -> String {
    let hundredths = Int64(clamping: (min(max(factor, 0), 1e6) * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) ×"
  }
}
