import GRDB

/// Repairs that run after changes of the schema, for example to restore a synchronisation's triggers after a table was
/// rebuilt.
///
/// When the store itself changes the schema, each repair runs at the end of that change. After any other change of the
/// schema, each repair runs in the store's next transaction, before the statements of that transaction.
///
/// A commit of that transaction marks the schema as seen, even if a repair threw an error. The changes of such a repair
/// are rolled back, and it runs again only after the next change of the schema. So the owner of a repair must also do
/// the same work in a place that can report the error.
///
/// The store owns its repairs. A repair lives as long as its ``SchemaRepair``, and doesn't run after the store was
/// closed.
final class SchemaRepairs: Sendable {
  private struct State {
    var repairs: [Int: @Sendable (WriteTransaction) throws -> Void] = [:]
    var last = 0
    /// `PRAGMA schema_version` after the last commit with repairs.
    var version: Int64?
  }

  /// The repairs, and the schema version that they have seen.
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

  /// Runs the repairs if the schema changed since they last saw it. Must be called in a transaction that writes.
  ///
  /// O(1) if the schema is unchanged.
  ///
  /// - Returns: The version that counts as seen when the transaction is committed; nil if there are no repairs.
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

  /// Marks the schema version of a committed transaction as seen.
  func committed(_ version: Int64?) {
    guard let version else { return }
    state.withLock { $0.version = version }
  }

  private func version(_ db: Database) throws -> Int64? {
    try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA main.schema_version /* Sanderling repairs */"))
  }
}

/// A repair that a store runs after changes of its schema, as long as this object lives.
package final class SchemaRepair: Sendable {
  private let repairs: SchemaRepairs
  private let number: Int

  fileprivate init(_ repairs: SchemaRepairs, _ number: Int) {
    (self.repairs, self.number) = (repairs, number)
  }

  deinit { repairs.remove(number) }
}

extension Store {
  /// Runs a repair after all changes of the store's schema, including changes by other connections: see
  /// ``SchemaRepairs``.
  ///
  /// - Parameter repair: Runs on the writer, in a savepoint. It writes nothing if there is nothing to repair.
  package func repairingSchema(
    _ repair: @escaping @Sendable (WriteTransaction) throws -> Void
  ) -> SchemaRepair {
    SchemaRepair(schemaRepairs, schemaRepairs.add(repair))
  }
}
