import Foundation
import GRDB
import Models
import Observation
import Sanderling
import SanderlingDiagnosis

/// Opens the app's database once, and keeps its store.
@Observable
final class Library {
  private(set) var store: Store?
  private(set) var problem: String?

  func open(at url: URL) async {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.observesSuspensionNotifications = true
    do {
      let store = try await Store.open(
        .path(url.path), schema: schema, durability: .full, migrator: makeMigrator(), extras: makeExtras(),
        configuration: configuration
      ) { tx in
        try tx.execute("INSERT INTO setting DEFAULT VALUES")
      }
      store.add(ConsoleSink(), includingValues: false)
      self.store = store
    } catch StoreError.schemaMismatch(let plan) {
      problem = plan.refusals.flatMap(\.steps).map(\.name).joined(separator: ", ") + plan.description
    } catch {
      problem = "\(error)"
    }
  }

  func maintain(_ store: Store, to url: URL) async throws -> [String] {
    try await store.backup(to: url.path)
    try await store.checkpoint(.truncate)
    try await store.noticeOutsideChanges()
    store.releaseMemory()
    return try await store.integrityCheck()
  }

  func startAnew(_ store: Store) async throws {
    try await store.erase()
    try await store.migrate(makeMigrator())
    try store.close()
  }

  /// Opens a store on the app's own GRDB connections.
  func adopt(_ pool: DatabasePool) async throws -> Store {
    try await Store.open(pool, schema: [Project.self], tracing: .ownStatements)
  }

  func openWithoutSeed() async throws -> Store {
    try await Store.open(.applicationSupport("Library", isBackedUp: false), schema: schema, durability: .normal)
  }

  nonisolated func diagnose(_ url: URL, log: URL) throws -> String {
    var reader = WorkloadReader()
    try reader.addLog(at: log)
    var options = Diagnosis.Options()
    options.timeBudget = .seconds(10)
    let report = try Diagnosis(database: url, options: options).run(reader.workload) { print($0) }
    return report.findings.map(\.title).joined(separator: "\n")
  }
}

nonisolated struct ConsoleSink: StatementSink {
  func receive(_ statement: StatementRecord) {
    print(statement.operation?.name ?? "", statement.sql, statement.rowCount, statement.counters.fullScanSteps)
  }
}
