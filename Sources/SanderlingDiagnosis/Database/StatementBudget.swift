import Synchronization

/// The limits of one execution of a statement.
struct StatementBudget: Sendable {
  var deadline: Deadline
  /// Instructions of SQLite's virtual machine.
  var steps: Int64
  /// Bytes that SQLite may allocate beyond the amount at the start, in this process.
  var memory: Int64
  var cancellation: Cancellation?

  static let unlimited = StatementBudget()

  init(
    deadline: Deadline = .never, steps: Int64 = .max, memory: Int64 = 1 << 30, cancellation: Cancellation? = nil
  ) {
    self.deadline = deadline
    self.steps = steps
    self.memory = memory
    self.cancellation = cancellation
  }

  /// Returns a budget with the smaller of both limits.
  func within(_ other: StatementBudget) -> StatementBudget {
    StatementBudget(
      deadline: deadline.earlier(other.deadline), steps: min(steps, other.steps), memory: min(memory, other.memory),
      cancellation: cancellation ?? other.cancellation)
  }
}

/// Ends running statements from any thread.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() {
    flag.store(true, ordering: .relaxed)
  }
}
