import Foundation
import GRDB
import Sanderling

/// Closing and reopening stores, and stores beside each other.
extension CaseRunner {
  // MARK: Reopening

  /// Ends the round's store and opens another one in its place, with the same queries.
  func reopen(_ leaving: LifeStep.Leaving) async throws {
    if !leaving.isBusy { try await settle() }
    // Other stores use the connections of this one if the store opened them itself.
    if !database.opening.isAdopted { closeOthers() }
    let opened = slots.mapValues { (query: $0.query, shape: $0.style.shape) }
    let hasBattery = !battery.isEmpty
    var results = slots.values.map(\.result) + battery
    slots = [:]
    battery = []
    if !leaving.keepsResults { for result in results { result.close() } }
    try await whileSuspended(leaving) { try await end(database.takeStore(), leaving, results) }
    for result in results where leaving.keepsResults { result.close() }
    results = []
    try await checkLeftovers()

    do {
      try database.reopen()
    } catch {
      // A migration removed a needed table or column.
      guard await mustOpen(after: error) else { throw RoundIsOver() }
      throw FuzzFailure(kind: .other, message: "the store can't be opened again: \(error)")
    }
    history = ExpectationHistory()
    dataVersionAtLastLook = try await dataVersion()
    for (slot, before) in opened.sorted(by: { $0.key < $1.key }) {
      let style = OpenStyle(isImmediate: false, consumers: [], isSlow: false, shape: before.shape)
      open(before.query, in: slot, style)
    }
    if hasBattery { openBattery() }
  }

  /// Ends a store by `end`. If the step requires it, the app is suspended meanwhile. Then the app's own writer writes,
  /// and no leftover of the store may prevent that.
  ///
  /// The last write always succeeds, and the remains of the store must be gone after it. The other writes may all fail,
  /// after a migration that removed a column.
  private func whileSuspended(_ leaving: LifeStep.Leaving, _ end: () async throws -> Void) async throws {
    guard let touches = leaving.touches, database.opening.isAdopted else { return try await end() }
    let center = NotificationCenter.default
    // As in any suspension, the database has resumed when the store receives the second notification.
    func resume() { for _ in 1...2 { center.post(name: Database.resumeNotification, object: nil) } }
    center.post(name: Database.suspendNotification, object: nil)
    do { try await end() } catch {
      resume()
      throw error
    }
    let writer = database.writer
    // The store's work on the writer's queue is already queued before this, unless a turn still holds it.
    try? await writer.writeWithoutTransaction { _ in }
    resume()
    for statement in touches + ["CREATE TEMP TABLE app_touch (x); DROP TABLE temp.app_touch"] {
      do {
        try await writer.writeWithoutTransaction { try $0.execute(sql: statement) }
      } catch {
        guard "\(error)".contains("sanderling_capture") else { continue }
        throw FuzzFailure(
          kind: .leftover, message: "leftovers of a store in a suspended app block its write: \(error)"
        )
      }
    }
  }

  /// Ends a store to which the caller holds no other reference.
  ///
  /// - Parameter results: Its results. Those that are kept must report that the store was closed.
  private func end(_ store: Store?, _ leaving: LifeStep.Leaving, _ results: [any OpenResult]) async throws {
    guard let store, leaving.isClosed else { return }
    do {
      try store.close()
    } catch {
      // Connections in use can't be closed; an app would try again.
      guard leaving.isBusy else {
        throw FuzzFailure(kind: .other, message: "close() fails while nothing is under way: \(error)")
      }
      return
    }
    guard leaving.keepsResults, !results.isEmpty else { return }
    try await inTime("settled() of a closed store") { await store.settled() }
    for result in results where result.shown.state.isCurrent {
      throw FuzzFailure(kind: .state, message: "a result of a store that was closed is still current")
    }
  }

  /// Whether a database that failed to open must open again. That is so if another connection finds all tables and
  /// columns of the records, or if the database is a new one in memory. A store that creates its tables itself may
  /// refuse rebuilt tables.
  private func mustOpen(after error: any Error) async -> Bool {
    if !database.opening.isAdopted, case StoreError.schemaMismatch = error { return false }
    guard let connection = database.appConnection else { return true }
    let statements = fuzzRecords.map { record in
      // Qualified with the table's name: a name in double quotes alone is a text if the connection accepts such texts.
      let name = record.table.name.quotedIdentifier
      let columns = record.table.columns.map { "\(name).\($0.name.quotedIdentifier)" }.joined(separator: ", ")
      return "SELECT \(columns) FROM \(name)"
    }
    do {
      try await connection.read { db in
        for sql in statements { _ = try db.makeStatement(sql: sql) }
      }
      return true
    } catch {
      return false
    }
  }

  // MARK: Leftovers

  /// Searches for objects that stores left on connections that the app keeps using, once no store is open.
  func checkLeftovers() async throws {
    guard database.opening.isAdopted, others.isEmpty else { return }
    let writer = database.writer
    let deadline = ContinuousClock.now + .seconds(2)
    while true {
      let found: [String]
      do {
        found = try await writer.writeWithoutTransaction { db in
          // The fold function has no state; statements that were prepared with it may still run.
          try String.fetchAll(
            db,
            sql: """
              SELECT 'trigger ' || name FROM temp.sqlite_schema WHERE type = 'trigger' AND name NOT LIKE 'app%'
              UNION SELECT 'function ' || name FROM pragma_function_list
              WHERE name LIKE 'sanderling%' AND name NOT IN (\(TextFunctions.names.map(\.quotedLiteral).joined(separator: ", ")))
              """)
        }
      } catch {
        throw FuzzFailure(kind: .leftover, message: "the app's connections can't be used any more: \(error)")
      }
      if found.isEmpty { return }
      if ContinuousClock.now > deadline {
        throw FuzzFailure(
          kind: .leftover, message: "left on the app's writer: \(found.joined(separator: ", "))")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  // MARK: Other stores

  func openOther(_ queries: [Int]) throws {
    let store: Store
    do {
      store = try database.makeStoreBeside()
    } catch {
      // A table or a column is missing.
      return
    }
    others.append(OtherStore(store, fuzzCase, queries: queries))
  }

  func closeOther(_ place: Int, _ leaving: LifeStep.Leaving) async throws {
    guard others.indices.contains(place) else { return }
    let other = others.remove(at: place)
    if !leaving.isBusy { try await inTime("settled() of another store") { await other.store?.settled() } }
    if !leaving.keepsResults { other.closeResults() }
    try await whileSuspended(leaving) { try await end(other.takeStore(), leaving, other.results.map(\.result)) }
    other.closeResults()
    do {
      try await store.writer.read { db in try db.execute(sql: "SELECT 1") }
    } catch {
      throw FuzzFailure(kind: .leftover, message: "another store's end took the connections with it: \(error)")
    }
  }

  private func closeOthers() {
    for other in others { other.close() }
    others = []
  }

  func compareOthers() async throws {
    for (place, other) in others.enumerated() {
      guard let store = other.store else { continue }
      try await inTime("settled() of another store") { await store.settled() }
      for (query, result) in other.results {
        let select = selects[query]
        let expectation = try await store.read { tx in select.expectation(tx) }
        let shown = result.shown
        let problem = shown.inconsistency(last: store.lastCommit).map { (kind: FuzzFailure.Kind.commit, text: $0) }
        let spec = fuzzCase.queries[query]
        let difference = try await difference(shown, spec, result.window, expectation)
        if let (kind, text) = problem ?? difference {
          throw FuzzFailure(kind: kind, message: "\(text); other store \(place): \(spec.description)")
        }
        coverage.noteCheck([])
      }
    }
  }
}
