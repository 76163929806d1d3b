/// Groups executions of statements by fingerprint, in bounded memory.
struct WorkloadCollector {
  /// The collected data of one fingerprint.
  private struct Entry {
    var statement: WorkloadStatement
    /// The duration of the execution that `statement.sql` comes from.
    var slowest: Duration?
    /// The durations of the executions that `statement.bindings` come from.
    var bindingDurations: [Duration?] = []
    /// Executions in operations that may not have ended, by the operations' numbers.
    var perOperation: [UInt64: Int] = [:]
  }

  private static let mostBindings = 8
  private static let mostPlaces = 20
  private static let mostNames = 200
  private static let mostSkipped = 100
  private static let mostOperations = 64

  private let limits: WorkloadReader.Limits
  private var entries: [Entry] = []
  private var positions: [String: Int] = [:]
  private var bytes = 0
  private var skipped: [SkippedInput] = []
  private var furtherSkipped = 0
  private var furtherStatements = 0
  /// The last executed statement, and its number of consecutive executions.
  private var run: (position: Int, count: Int)?

  /// The number of received statements, including skipped ones.
  private(set) var received = 0

  init(limits: WorkloadReader.Limits) {
    self.limits = limits
  }

  var workload: Workload {
    var skipped = skipped
    if furtherSkipped > 0 {
      skipped.append(SkippedInput(place: nil, reason: "\(furtherSkipped) further parts of the input were skipped"))
    }
    if furtherStatements > 0 {
      skipped.append(
        SkippedInput(
          place: nil,
          reason:
            "\(furtherStatements) executions of further statements were left out after \(entries.count) different statements; "
            + "diagnose a shorter log"))
    }
    return Workload(statements: entries.map(\.statement), skipped: skipped)
  }

  mutating func receive(_ event: InputEvent) {
    switch event {
    case .statement(let execution, let operationID): add(execution, operationID: operationID)
    case .skipped(let reason, let place): skip(reason, at: place)
    }
  }

  mutating func skip(_ reason: String, at place: InputPlace) {
    received += 1
    if skipped.count < Self.mostSkipped {
      skipped.append(SkippedInput(place: place, reason: reason))
    } else {
      furtherSkipped += 1
    }
  }

  /// Ends a sequence of executions of the same statement.
  mutating func endRun() {
    run = nil
  }

  /// Adds an execution; `operationID` identifies its operation. O(length of the statement).
  mutating func add(_ execution: LoggedStatement, operationID: UInt64? = nil) {
    switch StatementFilter.verdict(on: execution.sql) {
    case .dropped: return
    case .refused(let reason): return skip(reason, at: execution.place)
    case .kept: break
    }
    guard execution.sql.utf8.count <= limits.statement else {
      return skip("the statement is longer than \(limits.statement) bytes", at: execution.place)
    }
    received += 1
    let fingerprint = Fingerprint.of(execution.sql)
    guard let position = position(of: fingerprint, for: execution) else {
      furtherStatements += 1
      run = nil
      return
    }
    count(execution, at: position)
    keepSharedLiterals(execution, at: position)
    keepExample(execution, at: position)
    countOperation(operationID, at: position)
  }

  private mutating func position(of fingerprint: String, for execution: LoggedStatement) -> Int? {
    if let known = positions[fingerprint] { return known }
    let size = fingerprint.utf8.count + execution.sql.utf8.count
    guard entries.count < limits.fingerprints, bytes + size <= limits.statements else { return nil }
    bytes += size
    positions[fingerprint] = entries.count
    let statement = WorkloadStatement(
      id: entries.count + 1, fingerprint: fingerprint, sql: execution.sql, count: 0)
    entries.append(Entry(statement: statement))
    return entries.count - 1
  }

  private mutating func count(_ execution: LoggedStatement, at position: Int) {
    entries[position].statement.count += 1
    if let duration = execution.duration {
      entries[position].statement.totalTime = (entries[position].statement.totalTime ?? .zero) + duration
    }
    if let rows = execution.rows {
      let sum = (entries[position].statement.totalRows ?? 0).addingReportingOverflow(rows)
      entries[position].statement.totalRows = sum.overflow ? Int.max : sum.partialValue
    }
    if let operation = execution.operation {
      Self.count(operation, in: &entries[position].statement.operations)
    }
    if execution.isLogged { entries[position].statement.isLogged = true }
    if let caller = execution.caller { Self.count(caller, in: &entries[position].statement.callers) }
    if entries[position].statement.places.count < Self.mostPlaces {
      entries[position].statement.places.append(execution.place)
    }
  }

  private static func count(_ name: String, in counts: inout [String: Int]) {
    if counts[name] != nil || counts.count < mostNames { counts[name, default: 0] += 1 }
  }

  private mutating func keepSharedLiterals(_ execution: LoggedStatement, at position: Int) {
    let known = entries[position].statement
    if known.count > 1, known.sharedLiterals == nil, known.sql == execution.sql { return }
    if known.count > 1, known.sharedLiterals?.isEmpty == true { return }
    let literals = Set(LiteralEvidence.literals(in: execution.sql))
    let shared = known.sharedLiterals ?? Set(LiteralEvidence.literals(in: known.sql))
    entries[position].statement.sharedLiterals = shared.intersection(literals)
  }

  /// Keeps the SQL of the slowest execution, and the values of the first execution, the slowest one and some others.
  private mutating func keepExample(_ execution: LoggedStatement, at position: Int) {
    if let duration = execution.duration, duration > entries[position].slowest ?? .zero {
      entries[position].slowest = duration
      entries[position].statement.sql = execution.sql
    }
    guard !execution.bindings.isEmpty,
      !entries[position].statement.bindings.contains(execution.bindings)
    else { return }
    if entries[position].statement.bindings.count < Self.mostBindings {
      entries[position].statement.bindings.append(execution.bindings)
      entries[position].bindingDurations.append(execution.duration)
      return
    }
    guard let duration = execution.duration else { return }
    let durations = entries[position].bindingDurations
    let fastest = durations.indices.dropFirst().min { durations[$0] ?? .zero < durations[$1] ?? .zero }
    if let fastest, duration > durations[fastest] ?? .zero {
      entries[position].statement.bindings[fastest] = execution.bindings
      entries[position].bindingDurations[fastest] = duration
    }
  }

  private mutating func countOperation(_ operationID: UInt64?, at position: Int) {
    let count: Int
    if let operationID {
      run = nil
      if entries[position].perOperation[operationID] == nil,
        entries[position].perOperation.count >= Self.mostOperations,
        let oldest = entries[position].perOperation.keys.min()
      {
        entries[position].perOperation[oldest] = nil
      }
      entries[position].perOperation[operationID, default: 0] += 1
      count = entries[position].perOperation[operationID] ?? 1
    } else {
      count = run?.position == position ? (run?.count ?? 0) + 1 : 1
      run = (position, count)
    }
    entries[position].statement.mostPerOperation = max(entries[position].statement.mostPerOperation, count)
  }
}
