import Sanderling

/// A part of a transaction.
indirect enum WriteStep: Sendable {
  enum RecordOperation: String, Sendable {
    case insert, upsert, update, delete
    /// So many records that one statement inserts several; of notes only.
    case insertMany
    /// An upsert that updates the searchable text only; of notes and places.
    case upsertText
    /// A new value, or an expression, for the searchable text of all rows that a query finds; of notes and places.
    case assign
  }

  /// A statement. Through the connection's cache of statements, or made for this run.
  case sql(WriteKind, String, isCached: Bool)
  /// A call of the store's own interface.
  case record(RecordOperation, any FuzzRecord.Type, [StorageValue])
  case savepoint([WriteStep], isUndone: Bool)

  var kinds: [WriteKind] {
    switch self {
    case .sql(let kind, _, _): [kind]
    case .record(.insert, _, _): [.recordInsert]
    case .record(.upsert, _, _): [.recordUpsert]
    case .record(.update, _, _): [.recordUpdate]
    case .record(.delete, _, _): [.recordDelete]
    case .record(.insertMany, _, _): [.recordInsertMany]
    case .record(.upsertText, _, _): [.recordUpsertText]
    case .record(.assign, _, _): [.recordAssign]
    case .savepoint(let steps, let isUndone): [isUndone ? .undoneSavepoint : .savepoint] + steps.flatMap(\.kinds)
    }
  }
}

/// A transaction, or statements that an app runs as if they were one.
struct FuzzTransaction: Sendable {
  enum Route: CaseIterable, Sendable {
    case store, blocking, grdb, autocommit, handwritten
    /// Recorded, to be undone.
    case undoable
  }

  var route: Route
  var steps: [WriteStep]
  /// How often it is undone and done again at once, where it can be undone; where that is never, its inverse is kept.
  var undoCount = 0
  /// Whether an inverse that was kept is applied before.
  var undoesEarlier = false
  /// Whether it fails at its end.
  var isAbandoned = false

  var stepKinds: [StepKind] {
    let kind: StepKind =
      switch route {
      case .store: .storeWrite
      case .blocking: .blockingWrite
      case .grdb: .grdbWrite
      case .autocommit: .autocommit
      case .handwritten: .handwritten
      case .undoable: .undoable
      }
    return isAbandoned ? [kind, .abandoned] : [kind]
  }
}
