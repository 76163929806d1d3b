import GRDB

/// Repairs that run after a change of the schema, such as those of a synchronisation whose triggers went with a table that was made anew.
///
/// A repair runs at the end of each change of the schema by the store, and in the first transaction of the store that finds another schema, before
/// the statements of that transaction. A schema counts as seen when that transaction is committed. A repair that throws changes nothing and runs
/// again after the next change: its owner has to do the same work where it can report the error.
///
/// Repairs belong to the store. They end with their ``SchemaRepair``, and aren't run after the store was closed.
final class SchemaRepairs: Sendable {
  private struct State {
    var repairs: [Int: @Sendable (WriteTransaction) throws -> Void] = [:]
    var last = 0
    /// `PRAGMA schema_version` after the last commit that the repairs belong to.
    var version: Int64?
  }

  /// Guards the repairs, and the version that they have seen.
  private let state = Lock(State())

  func add(_ repair: @escaping @Sendable (WriteTransaction) throws -> Void) -> Int {
    state.withLock { state in
      state.last += 1
      state.repairs[state.last] = repair
      state.version = nil
      return state.last
    }
  }

  func remove(_ number: Int) { state.withLock { _ = $0.repairs.removeValue(forKey: number) } }

  /// Runs the repairs if the schema is another than they have seen. In a transaction that writes.
  ///
  /// O(1) where the schema is as it was.
  ///
  /// - Returns: The version that they have seen when the transaction is committed; nil where there are none.
  /// - Throws: An error that ends the transaction, such as a full disk.
  func run(_ db: Database) throws -> Int64? {
    let (repairs, known) = state.withLock { ($0.repairs, $0.version) }
    if repairs.isEmpty { return nil }
    if let known, try version(db) == known { return known }
    let transaction = WriteTransaction(db, recorder: nil)
    for (_, repair) in repairs.sorted(by: { $0.key < $1.key }) {
      do {
        try db.inSavepoint {
          try repair(transaction)
          return .commit
        }
      } catch {
        if !db.isInsideTransaction { throw error }
      }
    }
    return try version(db)
  }

  func committed(_ version: Int64?) {
    guard let version else { return }
    state.withLock { $0.version = version }
  }

  private func version(_ db: Database) throws -> Int64? {
    try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA main.schema_version /* Sanderling repairs */"))
  }
}

/// A repair that a store runs after changes of its schema, as long as this is kept.
package final class SchemaRepair: Sendable {
  private let repairs: SchemaRepairs
  private let number: Int

  fileprivate init(_ repairs: SchemaRepairs, _ number: Int) {
    (self.repairs, self.number) = (repairs, number)
  }

  deinit { repairs.remove(number) }
}

extension Store {
  /// Has the store run a repair after changes of its schema, whoever makes them: see ``SchemaRepairs``.
  ///
  /// - Parameter repair: Runs on the writer, in a savepoint. It writes nothing where nothing is to be repaired.
  package func repairingSchema(
    _ repair: @escaping @Sendable (WriteTransaction) throws -> Void
  ) -> SchemaRepair {
    SchemaRepair(schemaRepairs, schemaRepairs.add(repair))
  }
}
