extension LifeStep {
  /// The queries that the step opens or asks about.
  var usedQueries: [Int] {
    switch self {
    case .explain(let queries), .openStore(let queries): queries
    case .sweep(let sweep): sweep.visited + sweep.opened.map(\.query)
    case .overlap(_, let opened, _): opened.map(\.query)
    case .fault(let step): if case .opening(let opened) = step.moment { opened.map(\.query) } else { [] }
    default: []
    }
  }

  /// The size of the step, which decreases when parts are left out.
  var size: Int {
    switch self {
    case .erase(let rows): 1 + rows.count
    case .explain(let queries), .openStore(let queries): 1 + queries.count
    case .change(_, let steps):
      steps.transactions.reduce(1) { $0 + $1.count + 1 } + (steps.settlesBetween ? 1 : 0)
    case .writeThrough(_, let transaction): 1 + transaction.steps.count
    case .reopen(let leaving), .closeStore(_, let leaving):
      1 + (leaving.isBusy ? 1 : 0) + (leaving.keepsResults ? 1 : 0) + (leaving.isClosed ? 0 : 1)
        + (leaving.touches.map { 1 + $0.count } ?? 0)
    case .sweep(let sweep): 1 + sweep.visited.count + sweep.closed.count + sweep.opened.count + (sweep.settles ? 0 : 1)
    case .suspension(let transactions, let outside):
      transactions.reduce(1) { $0 + $1.steps.count + 1 } + (outside?.steps.count ?? 0)
    case .fault(let step): 10 + step.touches.count + step.fault.skipped
    case .overlap(let transaction, let opened, let own):
      2 + transaction.steps.count + opened.count + (own?.steps.count ?? 0)
    case .beside(_, let statements): 1 + statements.count
    case .restore(let own): 1 + (own?.steps.count ?? 0)
    case .releaseMemory, .backup, .checkpoint: 1
    }
  }

  /// Versions of the step with a part left out, the greatest parts first.
  var simpler: [LifeStep] {
    switch self {
    case .erase(let rows):
      return rows.isEmpty ? [] : [.erase(rows: []), .erase(rows: Array(rows.prefix(rows.count / 2)))]
    case .explain(let queries): return queries.removingOne.map { .explain(queries: $0) }
    case .openStore(let queries): return queries.removingOne.map { .openStore(queries: $0) }
    case .change(let kind, let steps): return steps.simpler.map { .change(kind, $0) }
    case .reopen(let leaving): return leaving.simpler.map { .reopen($0) }
    case .closeStore(let place, let leaving): return leaving.simpler.map { .closeStore(place, $0) }
    case .writeThrough(let place, let transaction): return transaction.simpler.map { .writeThrough(place, $0) }
    case .sweep(let sweep): return sweep.simpler.map { .sweep($0) }
    case .suspension(let transactions, let outside):
      return (outside.map { _ in [.suspension(transactions, outside: nil)] } ?? [])
        + transactions.removingOne.map { .suspension($0, outside: outside) }
    case .overlap(let transaction, let opened, let own):
      return (own.map { _ in [.overlap(transaction, opened: opened, then: nil)] } ?? [])
        + opened.removingOne.map { .overlap(transaction, opened: $0, then: own) }
        + transaction.simpler.map { .overlap($0, opened: opened, then: own) }
    case .fault(let step): return step.simpler.map { .fault($0) }
    case .beside(let kind, let statements): return statements.removingOne.map { .beside(kind, $0) }
    case .restore(let own):
      return own.map { own in [.restore(then: nil)] + own.simpler.map { .restore(then: $0) } } ?? []
    case .releaseMemory, .backup, .checkpoint: return []
    }
  }
}

extension SchemaSteps {
  fileprivate var simpler: [SchemaSteps] {
    var result: [SchemaSteps] = []
    if settlesBetween { result.append(SchemaSteps(route: route, transactions: transactions, settlesBetween: false)) }
    result += transactions.removingOne.map {
      SchemaSteps(route: route, transactions: $0, settlesBetween: settlesBetween)
    }
    for (index, transaction) in transactions.enumerated() {
      for smaller in transaction.removingOne {
        var other = self
        other.transactions[index] = smaller
        result.append(other)
      }
    }
    return result
  }
}

extension LifeStep.Leaving {
  fileprivate var simpler: [LifeStep.Leaving] {
    var result: [LifeStep.Leaving] = []
    func add(_ change: (inout LifeStep.Leaving) -> Void) {
      var other = self
      change(&other)
      result.append(other)
    }
    if isBusy { add { $0.isBusy = false } }
    if keepsResults { add { $0.keepsResults = false } }
    if !isClosed { add { $0.isClosed = true } }
    if let touches {
      add { $0.touches = nil }
      for smaller in touches.removingOne { add { $0.touches = smaller } }
    }
    return result
  }
}

extension LifeStep.Sweep {
  fileprivate var simpler: [LifeStep.Sweep] {
    var result: [LifeStep.Sweep] = []
    func add(_ change: (inout LifeStep.Sweep) -> Void) {
      var other = self
      change(&other)
      result.append(other)
    }
    if !settles { add { $0.settles = true } }
    for smaller in visited.removingOne { add { $0.visited = smaller } }
    for smaller in closed.removingOne { add { $0.closed = smaller } }
    for smaller in opened.removingOne { add { $0.opened = smaller } }
    return result
  }
}

extension FaultStep {
  fileprivate var simpler: [FaultStep] {
    var result: [FaultStep] = []
    func add(_ change: (inout FaultStep) -> Void) {
      var other = self
      change(&other)
      result.append(other)
    }
    for smaller in touches.removingOne { add { $0.touches = smaller } }
    if fault.skipped > 0 { add { $0.fault.skipped /= 2 } }
    switch moment {
    case .beforeWrite(let transaction):
      for smaller in transaction.simpler { add { $0.moment = .beforeWrite(smaller) } }
    case .afterCommit(let transaction):
      for smaller in transaction.simpler { add { $0.moment = .afterCommit(smaller) } }
    case .noticing(let transaction):
      for smaller in transaction.simpler { add { $0.moment = .noticing(smaller) } }
    case .opening(let opened):
      for smaller in opened.removingOne { add { $0.moment = .opening(smaller) } }
    }
    return result
  }
}

extension Array {
  /// The array without its first half, and without each of its elements.
  fileprivate var removingOne: [[Element]] {
    let halves = count > 3 ? [Array(dropFirst(count / 2)), Array(prefix(count / 2))] : []
    return halves
      + indices.map { index in
        var other = self
        other.remove(at: index)
        return other
      }
  }
}
