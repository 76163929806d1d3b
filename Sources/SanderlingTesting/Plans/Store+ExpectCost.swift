public import Sanderling

extension Store {
  /// Checks that work stays within a number of statements and of SQLite's steps, which are the same on every machine.
  ///
  /// ```swift
  /// try await store.expectCost(statements: 2, steps: 3_000) {
  ///   try await store.write("complete") { try $0.update(task) }
  /// }
  /// ```
  ///
  /// Steps differ a little between versions of SQLite: leave some room.
  ///
  /// - Parameters:
  ///   - statements: The most statements that may run, those of transactions not counted; nil for any number.
  ///   - steps: The most steps of SQLite's virtual machine that all of them may take together; nil for any number.
  /// - Returns: The result of the work.
  /// - Throws: ``ExpectationFailure`` with the statements and their steps when they are more, and the errors of the work.
  @discardableResult
  public func expectCost<Value>(
    statements: Int? = nil, steps: Int? = nil, isolation: isolated (any Actor)? = #isolation,
    _ work: () async throws -> Value
  ) async throws -> Value {
    let (value, records) = try await record(work)
    let counted = records.filter { !$0.isOfTransaction }
    let total = counted.reduce(0) { $0 + $1.counters.virtualMachineSteps }
    var reasons: [String] = []
    if let statements, counted.count > statements {
      reasons.append("\(counted.count) statements ran, and at most \(statements) may run")
    }
    if let steps, total > steps { reasons.append("they took \(total) steps, and may take at most \(steps)") }
    guard !reasons.isEmpty else { return value }
    let lines = counted.map { "  \($0.counters.virtualMachineSteps) steps: \($0.sql)" }.joined(separator: "\n")
    throw ExpectationFailure(description: reasons.joined(separator: "; ") + ":\n" + lines)
  }
}

extension StatementRecord {
  fileprivate var isOfTransaction: Bool {
    let word = sql.drop(while: \.isWhitespace).prefix(while: \.isLetter).uppercased()
    return ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"].contains(word)
  }
}
