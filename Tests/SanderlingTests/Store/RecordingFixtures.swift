import Sanderling
import Testing

extension StatementTracing: CaseIterable, CustomTestStringConvertible {
  public static var allCases: [StatementTracing] { [.ownStatements, .allStatements] }

  public var testDescription: String {
    switch self {
    case .ownStatements: "own statements"
    case .allStatements: "all statements"
    }
  }
}

/// A sink that keeps every statement.
final class KeepingSink: StatementSink {
  private let kept = Lock<[StatementRecord]>([])

  var statements: [StatementRecord] { kept.withLock { $0 } }

  func receive(_ statement: StatementRecord) {
    kept.withLock { $0.append(statement) }
  }
}

extension TemporaryFolder {
  /// Makes a store with birds A1, A2 … with 1, 2 … sightings, all of one species.
  func store(_ kind: StoreKind = .file, birds count: Int, tracing: StatementTracing) throws -> Store {
    let store = try store(kind, tracing: tracing)
    try store.writeBlocking("given") { tx in
      try tx.insert(contentsOf: (1...count).map { Bird(ring: "A\($0)", species: "knot", sightings: $0) })
    }
    return store
  }
}
