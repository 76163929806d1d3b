/// One event of a store as a whole.
enum LifeStep: Sendable {
  /// - Parameter rows: Statements that fill the new tables, and may create others.
  case erase(rows: [String])
  case explain(queries: [Int])
  case change(LifeKind, SchemaSteps)
  case reopen(Leaving)
  case openStore(queries: [Int])
  /// Writes through another store, by its place among them.
  case writeThrough(Int, FuzzTransaction)
  case closeStore(Int, Leaving)
  case sweep(Sweep)
  case suspension([FuzzTransaction], outside: FuzzTransaction?)
  case fault(FaultStep)
  /// Another connection's transaction; results are opened in the middle of it.
  case overlap(FuzzTransaction, opened: [OpenedQuery], then: FuzzTransaction?)
  case releaseMemory
  /// Statements about another database, or temporary tables.
  case beside(LifeKind, [BesideStatement])
  case backup
  /// - Parameter own: A transaction of the store, which makes it notice the outside change; nil to request that
  ///   directly.
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
    /// Whether its results are released only after the store was closed.
    var keepsResults: Bool
    /// Whether a turn may be running, because the step waits for no result before.
    var isBusy: Bool
    /// The statements that the app's own writer runs once the app is active again; nil if the app isn't suspended at
    /// the end.
    var touches: [String]?
  }

  struct Sweep: Sendable {
    /// Queries that are opened and closed before, so that their tables are captured.
    var visited: [Int]
    /// Slots that are closed before, so that their tables have no subscribers.
    var closed: [Int]
    /// Whether the store finishes its work before time passes.
    var settles: Bool
    /// The number of seconds that pass.
    var seconds: Int
    /// Whether the writer is busy meanwhile, so that the capture of a table has not ended when a query returns to it.
    var holdsWriter: Bool
    /// Queries that are opened right after.
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
  /// Whether everything is delivered between two transactions.
  var settlesBetween: Bool
}

/// Reads that fail, and the event during which they fail.
struct FaultStep: Sendable {
  enum Moment: Sendable {
    /// From before a write, which can fail as well.
    case beforeWrite(FuzzTransaction)
    /// From the commit of a write.
    case afterCommit(FuzzTransaction)
    /// While results are opened.
    case opening([LifeStep.OpenedQuery])
    /// While the store notices outside changes.
    case noticing(FuzzTransaction)
  }

  var fault: Fault
  var moment: Moment
  /// Statements that write to each table once the faults end.
  var touches: [String]
  /// Whether results are asked to read again before those commits, or after them.
  var retriesFirst: Bool
}
