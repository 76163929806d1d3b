/// One thing that happens to a store as a whole.
enum LifeStep: Sendable {
  /// - Parameter rows: Statements that fill the new tables, and may make others.
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
  /// Another connection's transaction, in the middle of which results are opened.
  case overlap(FuzzTransaction, opened: [OpenedQuery], then: FuzzTransaction?)
  case releaseMemory
  /// Statements about another database, or temporary tables.
  case beside(LifeKind, [BesideStatement])
  case backup
  /// - Parameter own: A transaction that lets the store notice; otherwise the store is asked to look.
  case restore(then: FuzzTransaction?)
  case checkpoint(truncates: Bool)

  /// A query that is opened in a slot.
  struct OpenedQuery: Sendable {
    let slot: Int
    let query: Int
  }

  /// How a store's end comes.
  struct Leaving: Sendable {
    /// Closed; otherwise only let go.
    var isClosed: Bool
    /// Whether its results are let go only after it was closed.
    var keepsResults: Bool
    /// Whether a turn may be under way, since nothing was waited for before.
    var isBusy: Bool
    /// The statements that the app's own writer runs once the app is active again; nil where it isn't suspended when the end comes.
    var touches: [String]?
  }

  struct Sweep: Sendable {
    /// Queries that are opened and closed before, for their tables.
    var visited: [Int]
    /// Slots that are closed before, so that their tables have no watchers.
    var closed: [Int]
    /// Whether what they have to do is done before time passes.
    var settles: Bool
    /// How long passes.
    var seconds: Int
    /// Whether the writer is busy meanwhile, so that it has not let go of a table when a query comes back to it.
    var holdsWriter: Bool
    /// Queries that are opened at once.
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

/// Reads that fail, and what the store does meanwhile.
struct FaultStep: Sendable {
  enum Moment: Sendable {
    /// From before a write on, which can fail as well.
    case beforeWrite(FuzzTransaction)
    /// From the moment on in which a write is committed.
    case afterCommit(FuzzTransaction)
    /// While results are opened.
    case opening([LifeStep.OpenedQuery])
    /// While the store looks for what another connection wrote.
    case noticing(FuzzTransaction)
  }

  var fault: Fault
  var moment: Moment
  /// Statements that write to each table once nothing fails any more.
  var touches: [String]
  /// Whether results are asked to read again before those commits, or after.
  var retriesFirst: Bool
}
