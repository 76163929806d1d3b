import GRDB
import Synchronization

/// The followed tables that the statements of a transaction may have written, whether they wrote a row or not.
///
/// GRDB tells before each statement which tables it may write, with those of its triggers and foreign key actions. The hook
/// that tells of rows knows nothing of tables without rowid, and costs more.
final class TouchedTables: Sendable {
  /// Guards the folded names of the followed tables.
  private let followed = Lock<Set<String>>([])
  private let hasFollowed = Atomic(false)
  /// Grows whenever other tables are followed.
  private let generation = Atomic<UInt64>(0)
  /// What statements of the transaction under way may have written.
  ///
  /// Used on the writer's queue only, which is the lock that guards it.
  private nonisolated(unsafe) let transaction = Transaction()

  private final class Transaction {
    var tables: Set<String> = []
    /// The folded names of the tables that are followed, and nil for others, by the names that GRDB tells.
    var decisions: [String: String?] = [:]
    var generation: UInt64 = 0
  }

  /// Follows these tables instead of those before.
  func follow(_ tables: Set<String>) {
    followed.withLock { $0 = Set(tables.map(\.asciiFolded)) }
    hasFollowed.store(!tables.isEmpty, ordering: .releasing)
    generation.add(1, ordering: .releasing)
  }

  /// Whether any table is followed.
  var isFollowing: Bool { hasFollowed.load(ordering: .relaxed) }

  // MARK: The writer's queue

  var isEmpty: Bool { transaction.tables.isEmpty }

  func note(_ kind: DatabaseEventKind) {
    let generation = generation.load(ordering: .acquiring)
    if transaction.generation != generation {
      transaction.generation = generation
      transaction.decisions = [:]
    }
    let name =
      switch kind {
      case .insert(let table), .delete(let table), .update(let table, _): table
      }
    if let decision = transaction.decisions[name] {
      if let table = decision { transaction.tables.insert(table) }
      return
    }
    let folded = name.asciiFolded
    let decision = followed.withLock { $0.contains(folded) } ? folded : nil
    transaction.decisions[name] = .some(decision)
    if let decision { transaction.tables.insert(decision) }
  }

  func takeAll() -> Set<String> {
    defer { removeAll() }
    return transaction.tables
  }

  func removeAll() {
    transaction.tables.removeAll(keepingCapacity: true)
  }
}

extension String {
  /// The name as SQLite compares names: the 26 letters of ASCII in lower case, all else as it is.
  var asciiFolded: String {
    String(decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }
}
