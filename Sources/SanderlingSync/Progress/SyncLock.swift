import Foundation
import Sanderling
import SanderlingSQLite
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The right to run a synchronisation with a name in a database. One run at a time, of all processes, has this right.
///
/// The lock is a row of the database with the holder's name, so the lock does not end by itself with the holder. A run
/// replaces a holder at once if the holder's process is known to have ended. A run also replaces a holder that gave no
/// sign of life for ``SyncError/lease`` seconds. Each transaction of a run checks that the run still holds the lock. So
/// a run writes nothing more if its process slept longer than the lease, or if its store was erased.
struct SyncLock: Sendable {
  /// The seconds between signs of life.
  static let interval = 4.0

  /// The identities of this process's runs that hold a lock or try to take one.
  private static let running = Lock<Set<String>>([])

  let store: Store
  let name: String
  private let holder = UUID().uuidString

  init(_ store: Store, name: String) {
    self.store = store
    self.name = name
  }

  /// - Parameter prepare: Runs first in the transaction that takes the lock. This closure creates the lock's table if
  ///   there is none.
  /// - Returns: The value of `prepare`.
  /// - Throws: ``SyncError/alreadyRunning(name:)``, and errors of `prepare`.
  func take<Value: Sendable>(_ prepare: @escaping @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
    Self.running.withLock { _ = $0.insert(holder) }
    do {
      return try await store.write("begin sync \(name)", priority: .background) { tx in
        let value = try prepare(tx)
        var isFree = true
        try tx.run(SyncState.readHolder, [.text(name)]) { row in
          guard let other = try row.optionalText(at: 0) else { return }
          let process = try row.integer(at: 1, for: Int64.self)
          let silence = try SyncState.now - row.real(at: 2, for: Double.self)
          isFree = Self.isGone(other, process: process) || abs(silence) > SyncError.lease
        }
        guard isFree else { throw SyncError.alreadyRunning(name: name) }
        try tx.run(
          SyncState.hold, [.text(name), .text(holder), .integer(Int64(getpid())), .real(SyncState.now)])
        return value
      }
    } catch {
      Self.running.withLock { _ = $0.remove(holder) }
      throw error
    }
  }

  /// Lets other runs begin. If the release can't be written now, the lock expires.
  func release() async {
    let release = Task {
      try? await store.write("end sync \(name)", priority: .background) { tx in
        try tx.run(SyncState.release, [.text(name), .text(holder)])
      }
    }
    await release.value
    Self.running.withLock { _ = $0.remove(holder) }
  }

  /// Renews the sign of life.
  ///
  /// - Throws: The errors of ``require(_:)``.
  func keep() async throws {
    try await store.write("keep sync \(name)", priority: .background) { tx in
      try require(tx)
      try tx.run(SyncState.keepHolding, [.text(name), .text(holder), .real(SyncState.now)])
    }
  }

  /// - Throws: ``SyncError/takenOver(name:)``. ``SyncError/erased(name:)`` if the lock's row is missing, or if no run
  ///   has held the lock since the row was made.
  func require(_ tx: ReadTransaction) throws {
    var present: String?
    var wasHeld = false
    if try Bool.fetchOne(tx.database.cachedStatement(sql: SyncState.isThere)) == true {
      try tx.run(SyncState.readHolder, [.text(name)]) { row in
        present = try row.optionalText(at: 0)
        wasHeld = !row.storageValue(at: 2).isNull
      }
    }
    if !wasHeld { throw SyncError.erased(name: name) }
    if present != holder { throw SyncError.takenOver(name: name) }
  }

  /// The underlying reason of a run's failure, if the run lost its lock: after an erasure, its statements can fail in
  /// many ways.
  func explained(_ error: any Error) async -> any Error {
    guard error is StoreError else { return error }
    do {
      try await store.read { try require($0) }
    } catch let reason as SyncError {
      return reason
    } catch {
      // The store can't be read: the original error says why.
    }
    return error
  }

  /// Whether a holder's process is known to have ended. A process that this process may not see counts as running.
  private static func isGone(_ holder: String, process: Int64) -> Bool {
    guard let process = pid_t(exactly: process) else { return false }
    if process == getpid() { return running.withLock { !$0.contains(holder) } }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
