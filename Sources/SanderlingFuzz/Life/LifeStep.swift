/// One event of a store as a whole.
enum LifeStep: Sendable {
  /// - Parameter rows: Statements that fill the new tables. They may also create other tables.
  case erase(rows: [String])
  case explain(queries: [Int])
  case change(LifeKind, SchemaSteps)
  case reopen(Leaving)
  case openStore(queries: [Int])
  /// Writes through another open store. The number is the place of the store among the other stores.
  case writeThrough(Int, FuzzTransaction)
  case closeStore(Int, Leaving)
  case sweep(Sweep)
  case suspension([FuzzTransaction], outside: FuzzTransaction?)
  case fault(FaultStep)
  /// A transaction of another connection. Queries are opened in the middle of the transaction.
  case overlap(FuzzTransaction, opened: [OpenedQuery], then: FuzzTransaction?)
  case releaseMemory
  /// Statements about another database, or temporary tables.
  case beside(LifeKind, [BesideStatement])
  case backup
  /// - Parameter then: The transaction that the store runs to notice the outside change. Nil if the step asks the store
  ///   to notice the change.
  case restore(then: FuzzTransaction?)
  case checkpoint(truncates: Bool)

  /// A query that is opened in a slot.
  struct OpenedQuery: Sendable {
    let slot: Int
    let query: Int
  }

  /// The end of a store's use: closed, or only released.
  struct Leaving: Sendable {
    /// Whether the store is closed; otherwise it is only released.
    var isClosed: Bool
    /// Whether the step releases the results of the store only after the end of the store.
    var keepsResults: Bool
    /// Whether a turn may be running, because the step doesn't wait for results before the end.
    var isBusy: Bool
    /// The statements that the app's own writer runs once the app is active again; nil if the app isn't suspended at
    /// the end.
    var touches: [String]?
  }

  struct Sweep: Sendable {
    /// Queries that the step opens and closes first, so that the store begins to capture the tables of these queries.
    var visited: [Int]
    /// Slots that the step closes before time passes, so that the tables of their queries lose these subscribers.
    var closed: [Int]
    /// Whether the step waits for the store's work before time passes, and again after the last queries are opened.
    var settles: Bool
    /// The number of seconds that pass.
    var seconds: Int
    /// Whether the writer is busy while time passes. Then the capture of a table hasn't ended when a query of the table
    /// is opened again.
    var holdsWriter: Bool
    /// Queries that the step opens right after time passed.
    var opened: [OpenedQuery]
  }

  enum BesideStatement: Sendable {
    /// Attaches the app's other database.
    case attach
    case sql(String)
  }

  var kind: LifeKind {
    switch self {
    case .erase: .erase
    case .explain: .explain
    case .change(let kind, _), .beside(let kind, _): kind
    case .reopen: .reopen
    case .openStore, .writeThrough, .closeStore: .stores
    case .sweep: .sweep
    case .suspension: .suspension
    case .fault: .faults
    case .overlap: .overlap
    case .releaseMemory: .memory
    case .backup, .restore: .backup
    case .checkpoint: .checkpoint
    }
  }
}

/// Changes of the schema, one transaction after the other.
struct SchemaSteps: Sendable {
  enum Route: CaseIterable, Sendable {
    /// `store.migrate`.
    case store
    /// GRDB's migrator on the writer.
    case migrator
    /// Statements on the writer.
    case plain
  }

  var route: Route
  var transactions: [[String]]
  /// Whether the step waits after each transaction until the store has delivered all changes.
  var settlesBetween: Bool
}

/// Reads that fail, and the event during which they fail.
struct FaultStep: Sendable {
  enum Moment: Sendable {
    /// Reads fail from the beginning of a write on. The write can fail, too.
    case beforeWrite(FuzzTransaction)
    /// Reads fail from the commit of a write on.
    case afterCommit(FuzzTransaction)
    /// Reads fail while queries are opened.
    case opening([LifeStep.OpenedQuery])
    /// Reads fail while the store notices outside changes.
    case noticing(FuzzTransaction)

    /// Whether another connection commits.
    var isOutside: Bool { if case .noticing = self { true } else { false } }
  }

  var fault: Fault
  var moment: Moment
  /// Statements that write to each table once the faults end.
  var touches: [String]
  /// Whether the step asks the results to read again before the statements of `touches` run; otherwise afterwards.
  var retriesFirst: Bool
}
