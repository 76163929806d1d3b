import Foundation

/// The audit of a store's live results: their comparison with fresh SELECTs at the commit that they name.
///
/// In debug builds, a store audits one commit in a hundred by default. That finds faults of the library, and
/// assumptions of the library that an app breaks, before a user sees a wrong list.
///
/// ```swift
/// let store = try Store(path: path, schema: schema, audit: .everyCommit { difference in
///   logger.fault("\(difference)")
/// })
/// ```
///
/// The SELECTs run on the connection of live results, in the snapshot of the commit. A store in memory has only one
/// connection, so writes wait for the SELECTs.
public struct LiveAudit: Sendable {
  /// Receives each difference, on a thread that may block. A difference contains values of rows, so it must not enter
  /// logs that other people read.
  public typealias Handler = @Sendable (LiveDifference) -> Void

  /// One commit in this many is audited; 0 for none.
  let interval: UInt64
  /// Whether all live results are audited, limited only by the budget.
  let isComplete: Bool
  let budget: Duration
  let handler: Handler

  private init(interval: UInt64, isComplete: Bool, budget: Duration, handler: @escaping Handler) {
    self.interval = interval
    self.isComplete = isComplete
    self.budget = budget
    self.handler = handler
  }

  /// Audits nothing.
  public static let off = LiveAudit(interval: 0, isComplete: false, budget: .zero) { _ in }

  /// Audits one commit in a hundred in debug builds of the library, and none in other builds.
  public static var automatic: LiveAudit {
    #if DEBUG
      .oneCommit(in: 100)
    #else
      .off
    #endif
  }

  /// Audits each commit, except commits that are passed over because another one followed at once.
  ///
  /// - Parameters:
  ///   - budget: The time that the SELECTs of one commit may take. Then the running SELECT is interrupted. This SELECT
  ///     and the remaining ones count as skipped.
  ///   - handler: Receives each difference. By default, it is printed to standard error.
  public static func everyCommit(
    budget: Duration = .seconds(1), handler: @escaping Handler = printing
  ) -> LiveAudit {
    LiveAudit(interval: 1, isComplete: true, budget: budget, handler: handler)
  }

  /// Audits some live results at one commit in a given number, different ones each time. Takes on average one percent
  /// of the time that commits take.
  ///
  /// - Parameters:
  ///   - count: One commit in this many is audited. Less than 1 audits nothing.
  ///   - budget: The most time that the SELECTs of one commit may take. Later audits make up for time beyond the one
  ///     percent.
  ///   - handler: Receives each difference. By default, it is printed to standard error.
  public static func oneCommit(
    in count: Int, budget: Duration = .milliseconds(50), handler: @escaping Handler = printing
  ) -> LiveAudit {
    LiveAudit(interval: UInt64(max(count, 0)), isComplete: false, budget: budget, handler: handler)
  }

  /// Prints a difference to standard error.
  public static let printing: Handler = { difference in
    // The app continues if standard error is closed or full.
    try? FileHandle.standardError.write(contentsOf: Data("\(difference)\n".utf8))
  }
}

/// A live result that differs from the result of its query.
public struct LiveDifference: Sendable, CustomStringConvertible {
  /// The SELECT with which the result was compared.
  public let statement: SQLStatement
  /// The commit that the result names.
  public let commit: Commit
  /// The difference, in words.
  public let reason: String
  /// The changes of the last commits in the tables that the query reads, oldest first.
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

/// The numbers of live results that were compared with fresh SELECTs.
public struct LiveAuditCounts: Hashable, Sendable {
  /// Live results that were compared.
  public internal(set) var compared = 0
  /// Live results whose SELECT took too long or failed, or whose difference may come from an outside change.
  public internal(set) var skipped = 0
  /// Compared live results that differed from their SELECT.
  public internal(set) var different = 0
}
