import SanderlingSQLite

/// The callbacks during preparation and execution of a statement: whether an action is permitted, and whether to
/// continue.
///
/// One per connection, used on its thread only.
final class StatementGuard {
  /// The number of instructions between two calls of the progress handler.
  static let instructionsPerQuestion: Int32 = 4000

  var authority = StatementAuthority.own
  /// The first action that was refused since the preparation of the statement began, in words.
  var refusedAction: String?
  /// The functions that the statement under preparation calls, in lower case.
  var functions: Set<String> = []
  private(set) var stopReason: DiagnosisError.StopReason?

  private var budget = StatementBudget.unlimited
  private var instructions: Int64 = 0
  private var memoryLimit = Int64.max
  /// The memory meter; nil for the default meter of this SQLite.
  var chosenMeter: MemoryMeter?
  private var meter = MemoryMeter.sqlite
  private var questions = 0

  func begin(_ budget: StatementBudget) {
    self.budget = budget
    meter = chosenMeter ?? .available
    instructions = 0
    questions = 0
    stopReason = nil
    let (limit, overflows) = meter.bytes.addingReportingOverflow(budget.memory)
    memoryLimit = overflows ? .max : limit
  }

  /// Whether the statement must end now.
  func shouldStop() -> Bool {
    instructions += Int64(Self.instructionsPerQuestion)
    return mustStop(after: instructions)
  }

  func mustStop(after steps: Int64) -> Bool {
    if budget.cancellation?.isCancelled == true {
      stopReason = .cancelled
    } else if steps > budget.steps {
      stopReason = .steps
    } else if budget.deadline.hasPassed {
      stopReason = .time
    } else if takesTooMuchMemory() {
      stopReason = .memory
    }
    return stopReason != nil
  }

  private func takesTooMuchMemory() -> Bool {
    defer { questions += 1 }
    return questions.isMultiple(of: meter.questionsPerReading) && meter.bytes > memoryLimit
  }

  /// Registers the guard, which must live as long as the connection.
  func watch(_ database: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      database, Self.instructionsPerQuestion,
      { context in
        guard let context else { return 0 }
        return Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
      }, context)
    sqlite3_set_authorizer(
      database,
      { context, action, first, second, _, _ in
        guard let context else { return SQLITE_DENY }
        let statementGuard = Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue()
        return statementGuard.answer(action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
      }, context)
  }

  private func answer(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
    if action == SQLITE_FUNCTION, let second { functions.insert(second.lowercased()) }
    guard let refusal = authority.refusal(of: action, first, second) else { return SQLITE_OK }
    if refusedAction == nil { refusedAction = refusal }
    return SQLITE_DENY
  }
}
