import Sanderling

/// One round as data: a database, queries, and what happens to both. It can be run any number of times, and with parts
/// left out.
struct FuzzCase: Sendable {
  var world: World
  var queries: [LiveQuerySpec]
  /// Queries that are open all the time.
  var battery: [LiveQuerySpec]
  var steps: [FuzzStep]

  /// The steps of a store's life up to one of the steps; nil when there is none.
  func lives(through last: Int) -> String? {
    let lives = steps.prefix(last + 1).enumerated().compactMap { number, step -> String? in
      guard case .life(let life) = step.action else { return nil }
      return "\(life.kind.rawValue) in step \(number)"
    }
    return lives.isEmpty ? nil : lives.joined(separator: ", ")
  }
}

/// One thing that happens in a round, and what is compared after it.
struct FuzzStep: Sendable {
  enum Action: Sendable {
    case write(FuzzTransaction)
    /// Transactions without a look at the results in between.
    case burst([FuzzTransaction])
    /// Transactions that commit as fast as the database can.
    case stream([FuzzTransaction])
    /// Transactions of several tasks, while queries are opened and closed.
    case concurrent([[FuzzTransaction]], opened: [Int])
    /// A transaction of another connection, and one of the store's before it is told to look.
    case outside(FuzzTransaction, then: FuzzTransaction?)
    /// Statements that run outside of transactions.
    case statements(StepKind, [String])
    case open(slot: Int, query: Int, OpenStyle)
    case close(slot: Int)
    case suspend(slot: Int)
    case resume(slot: Int)
    case replace(slot: Int, query: Int)
    case grow(slot: Int, by: Int)
    /// A list of the battery, by its place among them, is given a larger window.
    case growBattery(Int, by: Int)
    case life(LifeStep)
  }

  enum Check: Sendable {
    /// Nothing is waited for. What the results have to be at this commit is noted, for snapshots that name it.
    case none
    /// Everything is compared once all is delivered.
    case settled
    /// Each result is waited for by itself.
    case reached
  }

  var action: Action
  var check: Check
  /// Whether the store folds no texts of others in the background, until a step at which it does.
  var holdsFolding = false
  /// From which seed it is drawn what is looked at after the action; nil for what was looked at before.
  var gaze: UInt64?
}

extension FuzzStep.Action {
  /// Whether statements commit by themselves. One that fails after some rows can commit them, of which GRDB tells nobody.
  var commitsByItself: Bool {
    switch self {
    case .write(let transaction): transaction.route == .autocommit
    case .burst(let transactions): transactions.contains { $0.route == .autocommit }
    case .concurrent(let tasks, _): tasks.joined().contains { $0.route == .autocommit }
    default: false
    }
  }
}

/// How a live result is opened, and who consumes it beside the main actor.
struct OpenStyle: Sendable {
  enum Consumer: Sendable, CaseIterable {
    case changes, snapshots, storeChanges, storeSnapshots
  }

  /// What the rows of a list are shown as.
  enum Shape: String, CaseIterable, Sendable {
    case list, long, sections
  }

  var isImmediate: Bool
  var consumers: [Consumer]
  /// Whether the consumers take something only at times.
  var isSlow: Bool
  /// What it is shown as, if it can be.
  var shape = Shape.list
  /// How many rows the blocks of a long list get.
  var blockSize = 4
  /// Another window than the query's own, so that one query has several consumers with windows of their own.
  var window: Int?
}

/// A difference between a live result and a fresh SELECT, or another thing that must not be.
struct FuzzFailure: Error {
  /// A smaller case has to fail in the same way.
  enum Kind: Sendable {
    /// There is no case at all, since its database can't be made.
    case world
    /// Something that was waited for doesn't come.
    case missing
    /// Something is left of a store that was closed or let go.
    case leftover
    case rows, state, hasMore, commit
    /// A page has other rows than it should.
    case page
    /// A store reported a difference that nothing else found.
    case audit
    /// A statement, or an undo, did something else than it should.
    case write
    /// A consumer of a sequence got something wrong.
    case consumer
    case other
  }

  let kind: Kind
  var message: String
  var step = 0
  var slot: Int?
  /// The query of the battery that is wrong.
  var battery: Int?
}
