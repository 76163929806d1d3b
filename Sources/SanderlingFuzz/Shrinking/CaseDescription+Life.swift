extension CaseDescription {
  static func lines(of life: LifeStep) -> [String] {
    switch life {
    case .erase(let rows): return ["store.erase()"] + indented(rows)
    case .explain(let queries): return ["explain queries \(queries)"]
    case .change(let kind, let steps):
      let route =
        switch steps.route {
        case .store: "store.migrate"
        case .migrator: "GRDB's migrator on the writer"
        case .plain: "plain GRDB on the writer"
        }
      let between = steps.settlesBetween ? ", settled after each" : ""
      return ["\(kind.rawValue) by \(route)\(between)"]
        + steps.transactions.flatMap { ["     transaction"] + indented($0) }
    case .reopen(let leaving): return ["\(text(leaving, "the store")), open another"]
    case .openStore(let queries): return ["open another store on the same connections with queries \(queries)"]
    case .writeThrough(let place, let transaction): return ["through other store \(place):"] + lines(of: transaction)
    case .closeStore(let place, let leaving): return [text(leaving, "other store \(place)")]
    case .sweep(let sweep):
      return [
        "\(sweep.visited.isEmpty ? "" : "open and close queries \(sweep.visited), ")close slots \(sweep.closed)\(sweep.settles ? ", settled" : ""), let \(sweep.seconds) s pass\(sweep.holdsWriter ? " while the writer is busy" : ""), open "
          + text(sweep.opened)
      ]
    case .suspension(let transactions, let outside):
      return ["the app is suspended"] + transactions.flatMap { lines(of: $0) }
        + (outside.map { ["     another connection"] + lines(of: $0) } ?? []) + ["     and resumed"]
    case .fault(let step): return lines(of: step)
    case .overlap(let transaction, let opened, let own):
      return ["another connection, and before its commit open \(text(opened))"] + lines(of: transaction)
        + (own.map { ["     then the store's own"] + lines(of: $0) } ?? []) + ["     noticeOutsideChanges()"]
    case .releaseMemory: return ["releaseMemory()"]
    case .beside(_, let statements):
      return ["outside of transactions"]
        + indented(
          statements.map { statement in
            switch statement {
            case .attach: "ATTACH … AS extra"
            case .sql(let sql): sql
            }
          })
    case .backup: return ["make a copy of the database"]
    case .restore(let own):
      return ["write the copy over the open database"]
        + (own.map { ["     then the store's own"] + lines(of: $0) } ?? ["     noticeOutsideChanges()"])
    case .checkpoint(let truncates): return ["checkpoint(\(truncates ? ".truncate" : ".passive"))"]
    }
  }

  private static func lines(of step: FaultStep) -> [String] {
    let fault = step.fault
    let how = fault.isBusy ? "is busy" : "fails"
    let what = "each call to \(fault.operation.rawValue) \(how) after \(fault.skipped), \(fault.count) times"
    let moment: [String]
    switch step.moment {
    case .beforeWrite(let transaction): moment = ["from before this write:"] + lines(of: transaction)
    case .afterCommit(let transaction): moment = ["from the commit of this write:"] + lines(of: transaction)
    case .opening(let opened): moment = ["while opening \(text(opened))"]
    case .noticing(let transaction):
      moment = ["while noticeOutsideChanges() looks for another connection's"] + lines(of: transaction)
    }
    return [what + ", " + moment[0]] + moment.dropFirst()
      + ["     \(step.retriesFirst ? "retry() and then" : "then, before retry(),") without faults"]
      + indented(step.touches)
  }

  private static func text(_ leaving: LifeStep.Leaving, _ store: String) -> String {
    (leaving.isClosed ? "close \(store)" : "let \(store) go") + (leaving.isBusy ? " while it is busy" : "")
      + (leaving.keepsResults ? ", keeping its results a while" : "")
      + (leaving.touches.map { ", the app suspended; resumed, it runs \($0.joined(separator: "; "))" } ?? "")
  }

  private static func text(_ opened: [LifeStep.OpenedQuery]) -> String {
    opened.isEmpty ? "nothing" : opened.map { "query \($0.query) in slot \($0.slot)" }.joined(separator: ", ")
  }

  private static func indented(_ statements: [String]) -> [String] {
    statements.map { "       \($0);" }
  }
}
