import Foundation
import Testing

@testable import Sanderling

/// SQLite fails to add integers when a partial sum, in the order in which it visits the rows, exceeds 64 bits. Live
/// sums fail at the same commits, and are right again afterwards.
@MainActor @Suite struct SumOverflowTests {
  @Record
  struct Account: Hashable {
    var id: Int
    var name = ""
    static let entries = hasMany(Entry.self, by: \.accountID)
    static let books = hasMany(Book.self, by: \.accountID)
  }

  @Record
  struct Book: Hashable {
    var id: Int
    var accountID: Int
    static let entries = hasMany(Entry.self, by: \.bookID)
  }

  @Record(indexes: [.on(\.accountID), .on(\.bookID)])
  struct Entry: Hashable {
    var id: Int
    var accountID: Int
    var bookID: Int = 1
    var amount: Int
    var isOpen = true
  }

  @Projection(of: Account.self)
  struct Balance: Hashable {
    var id: Int
    var total: Int
    var open: Int
    static let total = aggregate { $0.entries.sum { $0.amount } }
    static let open = aggregate { $0.entries.filter { $0.isOpen }.sum { $0.amount } }
  }

  @Projection(of: Account.self)
  struct BookBalance: Hashable {
    var id: Int
    var total: Int
    var entries: Int
    static let total = aggregate { $0.books.sum { $0.entries.sum { $0.amount } } }
    static let entries = aggregate { $0.books.sum { $0.entries.count } }
  }

  /// The result of a query, or its error.
  private enum Outcome: Equatable, CustomStringConvertible {
    case values(String)
    case failure(String)

    @MainActor init<Value>(catching body: @MainActor () async throws -> Value) async {
      do {
        self = .values("\(try await body())")
      } catch {
        self = Outcome(error)
      }
    }

    init(_ error: any Error) {
      // The statement is left out of the error, since live results read more columns than they show.
      self =
        if case StoreError.database(let code, let message, _) = error { .failure("\(code) \(message)") } else {
          .failure("\(error)")
        }
    }

    var description: String {
      switch self {
      case .values(let values): values
      case .failure(let message): message
      }
    }

    var isFailure: Bool { if case .failure = self { true } else { false } }
  }

  /// Live results of each kind, with the corresponding fetches.
  @MainActor private struct Results {
    private let store: Store
    private let shown: [(live: () -> Outcome, fetched: @MainActor () async -> Outcome)]

    init(_ store: Store) {
      self.store = store
      let sum = Entry.select { ($0.amount.sum(), $0.count()) }
      let open = Entry.select { $0.amount.sum(where: $0.isOpen) * 2 }
      let groups = Entry.group { $0.accountID }.select { ($0.accountID, $0.amount.sum(), $0.count()) }.order {
        $0.accountID
      }
      shown = [
        Self.value(sum, store), Self.value(open, store), Self.list(groups, store),
        Self.list(Balance.order { $0.id }, store),
        Self.list(BookBalance.order { $0.id }, store),
        Self.value(Entry.select { $0.amount.average() }, store),
      ]
    }

    private static func value<Output>(
      _ query: Selection<Entry, Output>, _ store: Store
    ) -> (live: () -> Outcome, fetched: @MainActor () async -> Outcome) {
      let live = store.liveValue(query)
      _ = live.value
      return (
        {
          if case .failed(let error) = live.state { return Outcome(error) }
          return .values("\(live.value.map { "\($0)" } ?? "nothing")")
        }, { await Outcome { try await store.fetchFirst(query).map { "\($0)" } ?? "nothing" } }
      )
    }

    private static func list<Root, Output>(
      _ query: Selection<Root, Output>, _ store: Store
    ) -> (live: () -> Outcome, fetched: @MainActor () async -> Outcome) {
      let live = store.liveList(query)
      _ = live.rows
      return (
        {
          if case .failed(let error) = live.state { return Outcome(error) }
          return .values("\(live.elements)")
        }, { await Outcome { try await store.fetch(query) } }
      )
    }

    /// Compares each live result with its fetch.
    ///
    /// - Returns: The results of the fetches, in the order of the live results.
    @discardableResult
    func compare(_ comment: Testing.Comment) async throws -> [Outcome] {
      await store.settled()
      var fetched: [Outcome] = []
      for (number, result) in shown.enumerated() {
        let expected = await result.fetched()
        try #require(result.live() == expected, "result \(number), \(comment)")
        fetched.append(expected)
      }
      return fetched
    }
  }

  private func store() async throws -> Store {
    let store = try Store(inMemory: [Account.self, Book.self, Entry.self], liveInterval: .zero)
    try await store.write { tx in
      try tx.insert(contentsOf: [Account(id: 1), Account(id: 2)])
      try tx.insert(contentsOf: [Book(id: 1, accountID: 1), Book(id: 2, accountID: 2)])
    }
    return store
  }

  private func put(_ store: Store, _ amounts: KeyValuePairs<Int, Int?>) async throws {
    let amounts = amounts.map { ($0.key, $0.value) }
    try await store.write { tx in
      for (id, amount) in amounts {
        if let amount {
          try tx.upsert(Entry(id: id, accountID: 1, amount: amount))
        } else {
          try tx.delete(Entry.self, key: id)
        }
      }
    }
  }

  @Test func aPartialSumThatOverflowsFails() async throws {
    let store = try await store()
    let results = Results(store)
    // One query shows twice the sum, which must not exceed 64 bits either.
    let half = Int.max / 2
    try await put(store, [1: half])
    #expect(try await results.compare("one").allSatisfy { !$0.isFailure })
    // The sum is .max / 2, but SQLite's partial sum reaches .max + 1.
    try await put(store, [2: half + 2, 3: -half - 2])
    #expect(try await results.compare("beyond").dropLast().allSatisfy { $0 == .failure("1 integer overflow") })
    try await put(store, [2: nil])
    #expect(try await results.compare("back").allSatisfy { !$0.isFailure })
    try await put(store, [4: half + 2])
    #expect(try await results.compare("in another order").allSatisfy { !$0.isFailure })
  }

  /// Large numbers cancel each other out: the sum is 0 when it is first read, and later 1. It may still overflow in
  /// between.
  @Test func greatNumbersThatCancelOut() async throws {
    let store = try await store()
    try await put(store, [1: .max, 5: -.max])
    let results = Results(store)
    try await results.compare("cancelled out")
    try await put(store, [3: 1])
    #expect(try await results.compare("between").dropLast().allSatisfy(\.isFailure))
    try await put(store, [3: nil, 7: 1])
    #expect(try await results.compare("after").allSatisfy { !$0.isFailure })
    try await put(store, [1: 7, 5: 8])
    try await put(store, [3: 1])
    #expect(try await results.compare("small").allSatisfy { !$0.isFailure })
  }

  /// Sums are right when the least integer is added and removed, although its magnitude exceeds 64 bits.
  @Test func theLeastInteger() async throws {
    let store = try await store()
    let results = Results(store)
    for (number, amounts)
      in ([[1: .min], [2: -1], [2: 0], [1: 5], [1: .min], [1: nil], [3: 1]] as [KeyValuePairs<Int, Int?>]).enumerated()
    {
      try await put(store, amounts)
      try await results.compare("step \(number)")
    }
  }

  /// Books with large numbers move between accounts, though their sums are small.
  @Test func rowsOnTheWayMove() async throws {
    let store = try await store()
    try await store.write { tx in
      try tx.insert(contentsOf: [
        Entry(id: 1, accountID: 1, bookID: 2, amount: .max), Entry(id: 5, accountID: 1, bookID: 2, amount: -.max),
        Entry(id: 9, accountID: 2, bookID: 1, amount: 1),
      ])
    }
    let results = Results(store)
    try await results.compare("given")
    try await store.write { tx in try tx.insert(Entry(id: 10, accountID: 2, bookID: 1, amount: 1)) }
    try await results.compare("read with its magnitude")
    try await store.write { try $0.update(Book.self, key: 2) { $0.accountID = 1 } }
    try await results.compare("moved")
    try await store.write { tx in try tx.insert(Entry(id: 3, accountID: 2, bookID: 2, amount: 1)) }
    try await results.compare("beyond")
    try await store.write { tx in try tx.delete(Entry.self, key: 3) }
    try await results.compare("back")
  }

  @Test func randomNumbers() async throws {
    var random = SeededGenerator()
    let store = try await store()
    let results = Results(store)
    var failures = 0
    for step in 0..<250 {
      let writes = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let great: [Int] = [.max, .min, .max / 2, -.max, .min / 2, .max - 1, 1 << 40, -(1 << 33)]
        let amount =
          Int.random(in: 0..<3, using: &random) == 0
          ? great.randomElement(using: &random)! : Int.random(in: -5...5, using: &random)
        return (
          kind: Int.random(in: 0..<8, using: &random),
          entry: Entry(
            id: Int.random(in: 1...6, using: &random), accountID: Int.random(in: 1...2, using: &random),
            bookID: Int.random(in: 1...3, using: &random), amount: amount, isOpen: Bool.random(using: &random))
        )
      }
      try await store.write { tx in
        for (kind, entry) in writes {
          switch kind {
          case 0, 1: try tx.delete(Entry.self, key: entry.id)
          case 2: try tx.upsert(Book(id: entry.bookID, accountID: entry.accountID))
          case 3: try tx.delete(Book.self, key: entry.bookID)
          default: try tx.upsert(entry)
          }
        }
      }
      let fetched = try await results.compare("SANDERLING_SEED=\(random.seed), step \(step)")
      failures += fetched.count(where: \.isFailure)
    }
    #expect(failures > 100, "SANDERLING_SEED=\(random.seed)")
  }
}
