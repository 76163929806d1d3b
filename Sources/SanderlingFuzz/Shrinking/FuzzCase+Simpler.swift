import Sanderling

extension FuzzCase {
  /// The size of the case, which decreases when parts are left out.
  var size: Int {
    steps.reduce(0) { $0 + $1.size + ($1.gaze == nil ? 0 : 1) } + world.rows.count + world.features.count
      + (queries + battery).reduce(0) { $0 + $1.description.count } + world.tables.reduce(0) { $0 + $1.sql().count }
  }

  /// The queries that are followed.
  var usedQueries: [Int] {
    Set(
      steps.flatMap { step -> [Int] in
        switch step.action {
        case .open(_, let query, _), .replace(_, let query): [query]
        case .concurrent(_, let opened): opened
        case .life(let life): life.usedQueries
        default: []
        }
      }
    ).sorted()
  }
}

extension FuzzStep {
  fileprivate var size: Int {
    switch action {
    case .write(let transaction): transaction.steps.count + 1
    case .burst(let burst): burst.reduce(1) { $0 + $1.steps.count + 1 }
    case .stream(let stream): stream.reduce(1) { $0 + $1.steps.count + 1 }
    case .concurrent(let tasks, let opened): tasks.joined().reduce(opened.count + 2) { $0 + $1.steps.count + 1 }
    case .outside(let transaction, let own): transaction.steps.count + (own?.steps.count ?? 0) + 2
    case .statements(_, let statements): statements.count
    case .open(_, _, let style): 1 + style.consumers.count
    case .life(let life): life.size
    default: 1
    }
  }

  /// Versions of the step with a part left out, the greatest parts first.
  var simpler: [FuzzStep] {
    var result = simplerActions.map { FuzzStep(action: $0, check: check, gaze: gaze) }
    if gaze != nil { result.append(FuzzStep(action: action, check: check)) }
    if case .reached = check { result.append(FuzzStep(action: action, check: .settled, gaze: gaze)) }
    return result
  }

  private var simplerActions: [Action] {
    switch action {
    case .write(let transaction): return transaction.simpler.map(Action.write)
    case .burst(let burst):
      if burst.count == 1 { return [.write(burst[0])] }
      return burst.indices.map { .burst(burst.removing($0)) }
        + burst.indices.flatMap { index in burst[index].simpler.map { .burst(burst.replacing(index, by: $0)) } }
    case .stream(let stream):
      let half = stream.count / 2
      return (half > 0 ? [.burst(stream), .stream(Array(stream[half...])), .stream(Array(stream[..<half]))] : [])
        + stream.indices.map { .stream(stream.removing($0)) }
    case .concurrent(let tasks, let opened):
      return [.burst(Array(tasks.joined()))]
        + opened.indices.map { .concurrent(tasks, opened: opened.removing($0)) }
        + tasks.indices.map { .concurrent(tasks.removing($0), opened: opened) }
        + tasks.indices.flatMap { task in
          tasks[task].indices.map { .concurrent(tasks.replacing(task, by: tasks[task].removing($0)), opened: opened) }
        }
    case .outside(let transaction, let own):
      return (own.map { _ in [.outside(transaction, then: nil)] } ?? []) + [.write(transaction)]
        + transaction.simpler.map { .outside($0, then: own) }
        + (own?.simpler.map { .outside(transaction, then: $0) } ?? [])
    case .open(let slot, let query, let style): return style.simpler.map { .open(slot: slot, query: query, $0) }
    case .life(let life): return life.simpler.map(Action.life)
    case .statements, .close, .suspend, .resume, .replace, .grow, .growBattery: return []
    }
  }
}

extension FuzzTransaction {
  var simpler: [FuzzTransaction] {
    var result: [FuzzTransaction] = []
    func add(_ change: (inout FuzzTransaction) -> Void) {
      var other = self
      change(&other)
      result.append(other)
    }
    if steps.count > 3 {
      add { $0.steps.removeFirst(steps.count / 2) }
      add { $0.steps.removeLast(steps.count / 2) }
    }
    for index in steps.indices { add { $0.steps.remove(at: index) } }
    for index in steps.indices {
      for step in steps[index].simpler { add { $0.steps[index] = step } }
    }
    if isAbandoned { add { $0.isAbandoned = false } }
    if undoCount > 0 { add { $0.undoCount -= 1 } }
    if undoesEarlier { add { $0.undoesEarlier = false } }
    if route != .grdb, route != .store { add { $0.route = .grdb } }
    return result
  }
}

extension WriteStep {
  fileprivate var simpler: [WriteStep] {
    switch self {
    case .sql(let kind, let sql, let isCached): isCached ? [.sql(kind, sql, isCached: false)] : []
    case .record: []
    case .savepoint(let steps, let isUndone):
      (steps.count == 1 && !isUndone ? steps : [])
        + steps.indices.map { .savepoint(steps.removing($0), isUndone: isUndone) }
    }
  }
}

extension OpenStyle {
  fileprivate var simpler: [OpenStyle] {
    var result = consumers.indices.map { index in
      with { $0.consumers.remove(at: index) }
    }
    if isImmediate { result.append(with { $0.isImmediate = false }) }
    if isSlow { result.append(with { $0.isSlow = false }) }
    if shape != .list { result.append(with { $0.shape = .list }) }
    if window != nil { result.append(with { $0.window = nil }) }
    return result
  }

  private func with(_ change: (inout OpenStyle) -> Void) -> OpenStyle {
    var result = self
    change(&result)
    return result
  }
}

extension PhysicalTable {
  /// Functions that each leave out a part of the table.
  ///
  /// - Returns: Whether there was such a part.
  static var simplifications: [(inout PhysicalTable) -> Bool] {
    [
      {
        $0.change(
          \.foreignKeys, to: $0.foreignKeys.isEmpty ? [] : Array($0.foreignKeys.dropFirst()),
          when: !$0.foreignKeys.isEmpty)
      },
      {
        $0.change(
          \.foreignKeys, to: $0.foreignKeys.isEmpty ? [] : Array($0.foreignKeys.dropLast()),
          when: !$0.foreignKeys.isEmpty)
      },
      { $0.change(\.extraColumns, to: [], when: !$0.extraColumns.isEmpty) },
      { $0.change(\.isStrict, to: false, when: $0.isStrict) },
      { $0.change(\.isWithoutRowID, to: false, when: $0.isWithoutRowID) },
      { $0.change(\.isAutoincrement, to: false, when: $0.isAutoincrement) },
      { $0.change(\.keyForm, to: .primaryKey, when: $0.keyForm != .primaryKey) },
      { table in
        let plain = table.plainColumns
        return table.change(\.columns, to: plain, when: true)
      },
    ]
  }

  /// Replaces the table by the one that a store creates for the record.
  mutating func makePlain() {
    self = PhysicalTable(record: record, columns: plainColumns)
  }

  private mutating func change<Value>(
    _ property: WritableKeyPath<PhysicalTable, Value>, to value: Value, when applies: Bool
  ) -> Bool {
    if applies { self[keyPath: property] = value }
    return applies
  }

  /// The columns as the record declares them.
  private var plainColumns: [Column] {
    record.table.columns.map { column in
      Column(
        name: column.name, type: column.type.rawValue, collation: column.collation.rawValue,
        isNotNull: !column.acceptsNull)
    }
  }
}

extension World.Configuration {
  /// The settings that a case may not need.
  static var peculiarities: [WritableKeyPath<World.Configuration, Bool>] {
    [
      \.isFile, \.isSpaced, \.hasRecursiveTriggers, \.enforcesForeignKeys, \.observesSuspension, \.attachesEverywhere,
      \.isAudited, \.detectsOutsideChanges,
    ]
  }
}

extension Array {
  fileprivate func removing(_ index: Int) -> [Element] {
    var result = self
    result.remove(at: index)
    return result
  }

  fileprivate func replacing(_ index: Int, by element: Element) -> [Element] {
    var result = self
    result[index] = element
    return result
  }
}
