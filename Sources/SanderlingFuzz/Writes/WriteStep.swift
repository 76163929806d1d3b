import Sanderling

/// A part of a transaction.
indirect enum WriteStep: Sendable {
  enum RecordOperation: String, Sendable {
    case insert, upsert, update, delete
    /// Several records, which one statement inserts; notes only.
    case insertMany
    /// An upsert that updates only the searchable text; notes and places only.
    case upsertText
    /// A new value or an expression for the searchable text of all rows that a query finds; notes and places only.
    case assign
  }

  /// A statement, from the connection's statement cache or prepared for this run.
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

/// A transaction, or several statements that an app runs as if they were one.
struct FuzzTransaction: Sendable {
  enum Route: CaseIterable, Sendable {
    case store, blocking, grdb, autocommit, handwritten
    /// Recorded, so that it can be undone.
    case undoable
  }

  var route: Route
  var steps: [WriteStep]
  /// The number of times that the transaction is undone and redone at once, if it can be undone. If zero, its inverse
  /// is kept.
  var undoCount = 0
  /// Whether a kept inverse is applied before the transaction.
  var undoesEarlier = false
  /// Whether the transaction fails at its end.
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
