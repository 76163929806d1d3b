import Foundation
import Sanderling
import Testing

/// The operation to which a statement is attributed.
@Suite struct OperationTests {
  let folder = TemporaryFolder()

  @Test(arguments: StoreKind.allCases, StatementTracing.allCases)
  func aWriteIsAnOperation(kind: StoreKind, tracing: StatementTracing) async throws {
    let store = try folder.store(kind, tracing: tracing)
    let (_, statements) = try await store.record {
      try await store.write("ring a bird") { try $0.insert(Bird(ring: "A1", species: "knot")) }
      _ = try store.writeBlocking("ring a bird") { try $0.insert(Bird(ring: "A2", species: "knot")) }
      _ = try await store.texts("SELECT 'read'")
      try store.readBlocking { _ = try $0.fetch(RawQuery("SELECT 'blocking'", as: String.self)) }
    }
    let named = statements.filter { $0.operation != nil }
    #expect(Set(named.map(\.operation?.name)) == ["ring a bird"])
    #expect(Set(named.map(\.operation?.id)).count == 2)
    #expect(named.allSatisfy { $0.operation?.parentID == nil })
    #expect(named.map(\.sql).filter { $0.hasPrefix("INSERT") }.count == 2)
    #expect(statements.filter { $0.operation == nil }.sql == ["SELECT 'read'", "SELECT 'blocking'"])
  }

  @Test func unnamedWriteIsNamedAfterItsPlace() async throws {
    let store = try folder.store()
    let (_, statements) = try await store.record {
      try await store.write { try $0.insert(Bird(ring: "A1", species: "knot")) }
      try store.writeBlocking { _ = try $0.insert(Bird(ring: "A2", species: "knot")) }
    }
    let names = Set(statements.compactMap(\.operation?.name))
    #expect(names.count == 2)
    #expect(names.allSatisfy { $0.hasPrefix("unnamedWriteIsNamedAfterItsPlace(), line ") })
  }

  /// A blocking write inside a write throws an error. GRDB would end the process.
  @Test(arguments: StoreKind.allCases)
  func aBlockingWriteInsideOfAWriteIsRefused(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let insert: @Sendable () throws -> Void = {
      try store.writeBlocking("inner") { _ = try $0.insert(Bird(ring: "A1", species: "knot")) }
    }
    let expected = StoreError.nestedTransaction("The write \"inner\"", inside: "outer")
    await #expect(throws: expected) { try await store.write("outer") { _ in try insert() } }
    #expect(throws: expected) { try store.writeBlocking("outer") { _ in try insert() } }
    #expect(expected.description.contains("\"outer\"") && expected.description.contains("\"inner\""))
    // After the outer write, the same blocking write runs.
    try await store.write("outer") { _ in }
    try insert()
    #expect(try await store.count(Bird.query) == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func aBlockingReadInsideOfAWriteNeedsAConnection(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let count = Lock<Int?>(nil)
    let write: @Sendable () async throws -> Void = {
      try await store.write("outer") { tx in
        try tx.insert(Bird(ring: "A1", species: "knot"))
        let read = try store.readBlocking { try $0.count(Bird.query) }
        count.withLock { $0 = read }
      }
    }
    switch kind {
    case .file:
      try await write()
      // The read has the last commit, without the open transaction's row.
      #expect(count.withLock { $0 } == 0)
    case .memory:
      await #expect(throws: StoreError.nestedTransaction("A blocking read", inside: "outer")) { try await write() }
      #expect(try await store.count(Bird.query) == 0)
    }
  }

  @Test(arguments: StoreKind.allCases, StatementTracing.allCases)
  func operationsNest(kind: StoreKind, tracing: StatementTracing) async throws {
    let store = try folder.store(kind, tracing: tracing)
    let (_, statements) = try await store.record {
      try await StoreOperation.run("open") {
        _ = try await store.texts("SELECT 'outer'")
        try await StoreOperation.run("load") {
          _ = try await store.texts("SELECT 'inner'")
          try await store.write("mark") { _ = try $0.execute("UPDATE bird SET sightings = 0") }
        }
        _ = try await store.texts("SELECT 'outer again'")
      }
      #expect(StoreOperation.current == nil)
    }
    func operation(_ sql: String) throws -> StoreOperation {
      try #require(statements.first { $0.sql.contains(sql) }?.operation)
    }
    let (open, load, mark) = (try operation("'outer'"), try operation("'inner'"), try operation("UPDATE"))
    #expect([open.name, load.name, mark.name] == ["open", "load", "mark"])
    #expect([open.parentID, load.parentID, mark.parentID] == [nil, open.id, load.id])
    #expect(try operation("'outer again'") == open)
  }

  @Test func childTasksInheritTheOperation() async throws {
    let store = try folder.store()
    let (_, statements) = try await store.record {
      try await StoreOperation.run("open") {
        async let first = store.texts("SELECT 'async let'")
        let second = Task { try await store.texts("SELECT 'task'") }
        let third = Task.detached { try await store.texts("SELECT 'detached'") }
        try await withThrowingTaskGroup(of: [String].self) { group in
          group.addTask { try await store.texts("SELECT 'group'") }
          try await group.waitForAll()
        }
        _ = try await (first, second.value, third.value)
      }
    }
    // A detached task inherits neither the operation nor the recording.
    #expect(Set(statements.sql) == ["SELECT 'async let'", "SELECT 'task'", "SELECT 'group'"])
    #expect(Set(statements.map(\.operation?.name)) == ["open"])
    #expect(Set(statements.map(\.operation?.id)).count == 1)
  }

  @Test func operationRethrowsTheErrorOfItsWork() async throws {
    struct ChangeOfMind: Error {}
    await #expect(throws: ChangeOfMind.self) { try await StoreOperation.run("open") { throw ChangeOfMind() } }
    #expect(await StoreOperation.run("open") { StoreOperation.current?.name } == "open")
  }

  @Test(arguments: StoreKind.allCases, StatementTracing.allCases)
  func concurrentRecordingsHaveTheirOwnStatementsOnly(kind: StoreKind, tracing: StatementTracing) async throws {
    let store = try folder.store(kind, tracing: tracing)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          let (_, statements) = try await store.record {
            for round in 0..<10 {
              _ = try await store.texts("SELECT 'read \(raw: "\(number) \(round)")'")
              try await store.write("write \(number)") {
                _ = try $0.execute("UPDATE bird SET species = 'write \(raw: "\(number) \(round)")'")
              }
            }
          }
          let expected = (0..<10).flatMap { round in
            ["SELECT 'read \(number) \(round)'", "UPDATE bird SET species = 'write \(number) \(round)'"]
          }
          #expect(statements.sql == expected)
          #expect(Set(statements.compactMap(\.operation?.name)) == ["write \(number)"])
        }
        group.addTask { _ = try await store.texts("SELECT 'nobody records this'") }
      }
      try await group.waitForAll()
    }
  }

  @Test func recordingsNest() async throws {
    let store = try folder.store()
    let (inner, outer) = try await store.record {
      _ = try await store.texts("SELECT 'before' || \("secret")")
      let inner = try await store.record(includingValues: true) {
        try await store.texts("SELECT 'inside' || \("secret")")
      }.statements
      _ = try await store.texts("SELECT 'after'")
      return inner
    }
    #expect(outer.sql == ["SELECT 'before' || ?", "SELECT 'inside' || ?", "SELECT 'after'"])
    #expect(inner.map(\.expandedSQL) == ["SELECT 'inside' || 'secret'"])
    #expect(outer.allSatisfy { $0.expandedSQL == nil })
  }

  @Test func aSinkReceivesEverythingFromThenOn() async throws {
    let store = try folder.store()
    let sink = KeepingSink()
    _ = try await store.texts("SELECT 'too early'")
    store.add(sink)
    _ = try await store.texts("SELECT \("secret")")
    let (_, recorded) = try await store.record { try await store.texts("SELECT 'recorded'") }
    try await store.write("mark") { _ = try $0.execute("UPDATE bird SET sightings = 0") }
    #expect(sink.statements.sql == ["SELECT ?", "SELECT 'recorded'", "UPDATE bird SET sightings = 0"])
    #expect(sink.statements.last?.operation?.name == "mark")
    #expect(sink.statements.allSatisfy { $0.expandedSQL == nil })
    #expect(recorded.sql == ["SELECT 'recorded'"])
  }
}
