import ArgumentParser
import Foundation
import GRDB
import Sanderling

/// The kinds of processes that share a database.
enum NeighbourKind: String, CaseIterable, ExpressibleByArgument {
  /// A store with live results.
  case store
  /// A plain GRDB connection.
  case grdb
  /// The `sqlite3` shell.
  case shell
}

/// The command `sanderling-fuzz neighbour`: a process that writes to a shared database until its input ends.
///
/// It reads lines: `pause` has it end its transaction and answer `paused`, `compare` has it answer `equal` or a
/// difference, and `go` has it write again.
struct NeighbourCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "neighbour", abstract: "A process of sanderling-fuzz neighbours.", shouldDisplay: false)

  @Argument var folder: String
  @Option var kind: NeighbourKind
  @Option var process: Int
  @Option var seed: UInt64
  @Option var round: Int
  @Option var acts: UInt64

  @MainActor
  func run() async throws {
    StoredForms.areCompared.store(false, ordering: .relaxed)
    let fuzzCase = FuzzCase.shared(seed: seed, round: round)
    let folder = URL(fileURLWithPath: folder)
    let inbox = LineInbox()
    switch kind {
    case .store:
      let neighbour = try StoreNeighbour(fuzzCase, process: process, seed: acts, joining: folder)
      try await obey(inbox) {
        try await neighbour.act()
      } compare: {
        try await neighbour.problem()
      }
    case .grdb:
      let connection = try WorldDatabase.connect(fuzzCase.world, folder)
      var writes = PlainWrites(fuzzCase.world, process: process, seed: acts)
      try await obey(inbox) {
        await writes.write(to: connection)
      } compare: {
        nil
      }
    case .shell: throw ValidationError("sqlite3 is a process of its own.")
    }
  }

  /// Acts until the input ends, and pauses when told to.
  @MainActor
  private func obey(
    _ inbox: LineInbox, act: () async throws -> Void, compare: () async throws -> String?
  ) async throws {
    Console.print("ready")
    while true {
      switch inbox.take() {
      case .none: try await act()
      case .line("pause"):
        Console.print("paused")
        while true {
          let message = inbox.take()
          if message == .line("go") || message == .end { break }
          if message == .line("compare") {
            Console.print(try await compare()?.replacing("\n", with: " ") ?? "equal")
          }
          try await Task.sleep(for: .milliseconds(1))
        }
      case .line: break
      case .end: return
      }
    }
  }
}

/// The lines of the standard input, read by a thread that ends with the input.
private final class LineInbox: Sendable {
  enum Message: Equatable {
    case none, end
    case line(String)
  }

  private struct State {
    var lines: [String] = []
    var isAtEnd = false
  }

  /// Guards the lines, which the thread adds.
  private let state = Lock(State())

  init() {
    Thread { [self] in
      while let line = readLine() { state.withLock { $0.lines.append(line) } }
      state.withLock { $0.isAtEnd = true }
    }.start()
  }

  func take() -> Message {
    state.withLock { state in
      if !state.lines.isEmpty { return .line(state.lines.removeFirst()) }
      return state.isAtEnd ? .end : .none
    }
  }
}

/// The writes of a process without a store.
struct PlainWrites {
  private var transactions: TransactionGenerator
  private var random: SeededGenerator
  private var crates: SignedCrates

  init(_ world: World, process: Int, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    transactions = TransactionGenerator(world, random: SeededGenerator(seed: random.next()), round: process)
    crates = SignedCrates(process: process)
  }

  /// The next transaction.
  private mutating func next() -> FuzzTransaction {
    if random.chance(20) {
      return FuzzTransaction(route: .grdb, steps: [.sql(.insert, crates.insertion(), isCached: false)])
    }
    return transactions.transaction()
  }

  /// Writes on a connection, or does something else that a plain process does.
  mutating func write(to connection: DatabaseQueue) async {
    switch random.number(0..<100) {
    case 0..<80: await TransactionRunner.run(next(), on: connection, Coverage(), WriteProblems())
    case 80..<85: _ = try? await connection.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    default: try? await Task.sleep(for: .milliseconds(random.number(0..<8)))
    }
  }

  /// The next transaction as statements for the `sqlite3` shell, which goes on after an error.
  mutating func script() -> String {
    if random.chance(5) { return "PRAGMA wal_checkpoint(TRUNCATE);\n" }
    let transaction = next()
    let statements = transaction.steps.flatMap(Self.statements)
    // A commit that fails leaves the transaction open, so that it must be rolled back.
    return "BEGIN IMMEDIATE;\n" + statements.map { $0 + ";\n" }.joined()
      + (transaction.isAbandoned ? "ROLLBACK;\n" : "COMMIT;\nROLLBACK;\n")
  }

  private static func statements(_ step: WriteStep) -> [String] {
    switch step {
    case .sql(_, let sql, _): [sql.replacing(" OR FAIL ", with: " OR ABORT ")]
    case .record: []
    case .savepoint(let steps, let isUndone):
      ["SAVEPOINT part"] + steps.flatMap(statements) + (isUndone ? ["ROLLBACK TO part"] : []) + ["RELEASE part"]
    }
  }
}
