import Sanderling

/// One round as data: a database, queries and steps. It can run any number of times, and with parts left out.
struct FuzzCase: Sendable {
  var world: World
  var queries: [LiveQuerySpec]
  /// Queries that are open during the whole round.
  var battery: [LiveQuerySpec]
  var steps: [FuzzStep]

  /// The steps of a store's life up to one of the steps; nil if there is none.
  func lives(through last: Int) -> String? {
    let lives = steps.prefix(last + 1).enumerated().compactMap { number, step -> String? in
      guard case .life(let life) = step.action else { return nil }
      return "\(life.kind.rawValue) in step \(number)"
    }
    return lives.isEmpty ? nil : lives.joined(separator: ", ")
  }
}

/// One action of a round, and the comparison after it.
struct FuzzStep: Sendable {
  enum Action: Sendable {
    case write(FuzzTransaction)
    /// Transactions without a comparison in between.
    case burst([FuzzTransaction])
    /// Transactions that commit as fast as the database allows.
    case stream([FuzzTransaction])
    /// Transactions of several tasks, while queries are opened and closed.
    case concurrent([[FuzzTransaction]], opened: [Int])
    /// A transaction of another connection, then a transaction of the store before the store is asked to notice the
    /// change.
    case outside(FuzzTransaction, then: FuzzTransaction?)
    /// Statements that run outside of transactions.
    case statements(StepKind, [String])
    case open(slot: Int, query: Int, OpenStyle)
    case close(slot: Int)
    case suspend(slot: Int)
    case resume(slot: Int)
    case replace(slot: Int, query: Int)
    case grow(slot: Int, by: Int)
    /// Enlarges the window of a list of the battery, named by its position there.
    case growBattery(Int, by: Int)
    case life(LifeStep)
  }

  enum Check: Sendable {
    /// No wait. The expectations at this commit are recorded for snapshots that name it.
    case none
    /// Everything is compared once all changes are delivered.
    case settled
    /// Each result is waited for individually.
    case reached
  }

  var action: Action
  var check: Check
  /// Whether the store stops folding outside texts in the background, until a step at which it folds again.
  var holdsFolding = false
  /// The seed of the positions that are visible after the action; nil to keep the visible positions.
  var gaze: UInt64?
}

extension FuzzStep.Action {
  /// Whether statements commit by themselves. A statement that fails after some rows can commit them without a
  /// notification by GRDB.
  var commitsByItself: Bool {
    switch self {
    case .write(let transaction): transaction.route == .autocommit
    case .burst(let transactions): transactions.contains { $0.route == .autocommit }
    case .concurrent(let tasks, _): tasks.joined().contains { $0.route == .autocommit }
    default: false
    }
  }
}

/// The way in which a live result is opened, and its consumers besides the main actor.
struct OpenStyle: Sendable {
  enum Consumer: Sendable, CaseIterable {
    case changes, snapshots, storeChanges, storeSnapshots
  }

  /// The shape in which a list is shown.
  enum Shape: String, CaseIterable, Sendable {
    case list, long, sections
  }

  var isImmediate: Bool
  var consumers: [Consumer]
  /// Whether the consumers take values only at intervals.
  var isSlow: Bool
  /// The shape in which it is shown, if the query allows it.
  var shape = Shape.list
  /// The number of rows in a block of a long list.
  var blockSize = 4
  /// A window that differs from the query's own, so that one query has several consumers with different windows.
  var window: Int?
}

/// A difference between a live result and a fresh SELECT, or another violated rule.
struct FuzzFailure: Error {
  /// The kind of failure. A smaller case must fail with the same kind.
  enum Kind: Sendable {
    /// The database can't be created, so there is no case.
    case world
    /// An awaited value doesn't arrive.
    case missing
    /// An object of a closed or released store is left.
    case leftover
    case rows, state, hasMore, commit
    /// A page has wrong rows.
    case page
    /// A store's audit reported a difference that no other check found.
    case audit
    /// A statement or an undo had a wrong effect.
    case write
    /// A consumer of a sequence received a wrong value.
    case consumer
    case other
  }

  let kind: Kind
  var message: String
  var step = 0
  var slot: Int?
  /// The wrong query of the battery.
  var battery: Int?
}
