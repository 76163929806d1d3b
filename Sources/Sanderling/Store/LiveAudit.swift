import Foundation

/// How a store checks its live results: it compares them with fresh SELECTs of the commit that they name.
///
/// A store does so by itself in debug builds, for one commit in a hundred. That finds faults of the library, and assumptions of it
/// that do not hold in an app, before a user sees a list that says it is current and isn't.
///
/// ```swift
/// let store = try Store(path: path, schema: schema, audit: .everyCommit { difference in
///   logger.fault("\(difference)")
/// })
/// ```
///
/// The SELECTs run on the connection that live results are read on, in the snapshot of the commit. A store in memory has one
/// connection: there, writes wait for them.
public struct LiveAudit: Sendable {
  /// Called with each difference, on a thread that may block. It holds values of rows, so it belongs in no log that others read.
  public typealias Handler = @Sendable (LiveDifference) -> Void

  /// One commit in this many is checked; 0 for none.
  let interval: UInt64
  /// Whether all live results are checked, within the budget only.
  let isComplete: Bool
  let budget: Duration
  let handler: Handler

  private init(interval: UInt64, isComplete: Bool, budget: Duration, handler: @escaping Handler) {
    self.interval = interval
    self.isComplete = isComplete
    self.budget = budget
    self.handler = handler
  }

  /// Nothing is checked.
  public static let off = LiveAudit(interval: 0, isComplete: false, budget: .zero) { _ in }

  /// One commit in a hundred in debug builds of the library, and none in others.
  public static var automatic: LiveAudit {
    #if DEBUG
      .oneCommit(in: 100)
    #else
      .off
    #endif
  }

  /// Checks each commit, but those that are passed over since another followed at once.
  ///
  /// - Parameters:
  ///   - budget: How long the SELECTs of one commit may take. The one that runs then is interrupted, and counts as skipped, as do
  ///     those after it.
  ///   - handler: Receives each difference; by default it is printed to the standard error.
  public static func everyCommit(
    budget: Duration = .seconds(1), handler: @escaping Handler = printing
  ) -> LiveAudit {
    LiveAudit(interval: 1, isComplete: true, budget: budget, handler: handler)
  }

  /// Checks some live results at one commit in so many, others each time, and takes on average one percent of the time that commits take.
  ///
  /// - Parameters:
  ///   - count: In how many commits there is one that is checked. With less than 1 nothing is.
  ///   - budget: How long the SELECTs of one commit may take at most. Later SELECTs save the time beyond the one percent.
  ///   - handler: Receives each difference; by default it is printed to the standard error.
  public static func oneCommit(
    in count: Int, budget: Duration = .milliseconds(50), handler: @escaping Handler = printing
  ) -> LiveAudit {
    LiveAudit(interval: UInt64(max(count, 0)), isComplete: false, budget: budget, handler: handler)
  }

  /// Prints a difference to the standard error.
  public static let printing: Handler = { difference in
    // If standard error is closed or full, the app continues.
    try? FileHandle.standardError.write(contentsOf: Data("\(difference)\n".utf8))
  }
}

/// A live result that differs from the result of its query.
public struct LiveDifference: Sendable, CustomStringConvertible {
  /// The SELECT that the result was compared with.
  public let statement: SQLStatement
  /// The commit that the result names.
  public let commit: Commit
  /// The difference, in words.
  public let reason: String
  /// The changes of the last commits in the tables that the query reads, the first ones first.
  public let lastChanges: [String]

  public var description: String {
    """
    Sanderling: a live result differs from the result of its query. Please report this, with the following lines.
      At commit \(commit.number): \(reason)
      Query: \(statement)
      Last changes:\(lastChanges.isEmpty ? " none" : lastChanges.map { "\n    \($0)" }.joined())
    """
  }
}

/// How many live results were compared with fresh SELECTs.
public struct LiveAuditCounts: Hashable, Sendable {
  /// Live results that were compared.
  public internal(set) var compared = 0
  /// Those whose SELECT would have taken too long, or could not be run, or whose differences may come from writes of others.
  public internal(set) var skipped = 0
  /// Compared results that differed from their SELECT.
  public internal(set) var different = 0
}
