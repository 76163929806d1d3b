import Foundation
import Models
import Observation
import Sanderling
import SanderlingSync

/// A source and sink for the app's own server, written as in a guide.
struct TeamServer: SyncSource, SyncSink {
  let connection: HTTPConnection
  var knowsNumbers: Bool { true }

  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          let query = cursor.map { ["since": $0] } ?? [:]
          let response = try await connection.send(HTTPRequest("GET", "tasks", query: query))
          let deletion = SyncChange("task", key: [.text("a")], .deletion, version: response.header("ETag"))
          continuation.yield(SyncBatch([deletion], cursor: response.member("next"), isCheckpoint: true, remaining: 0))
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
    var outcomes: [MutationOutcome] = []
    for mutation in mutations {
      let response = try await connection.send(
        HTTPRequest("PUT", "tasks/\(mutation.sequence)", headers: ["Client": mutation.client]))
      outcomes.append(response.isSuccess ? .acknowledged(version: response.header("ETag")) : .conflict)
    }
    return outcomes
  }
}

/// Keeps the app's database equal to its server.
@Observable
final class Synchronization {
  private(set) var session: SyncSession?
  private(set) var problem: String?

  static var records: [SyncedRecord] {
    [
      SyncedRecord(Project.self, conflicts: .newest(by: \Project.Fields.name).deletions(.clientWins)),
      SyncedRecord(TodoTask.self, conflicts: .merge.merging(\TodoTask.Fields.estimate, .counter)),
    ]
  }

  func begin(_ store: Store, server: URL, token: @escaping @Sendable (Bool) async throws -> String) async {
    var options = SyncOptions(misfits: .quarantine, shows: .checkpoints)
    options.misfits = .stop
    do {
      let connection = try HTTPConnection(server, authorization: .bearer(token))
      let team = TeamServer(connection: connection)
      let session = try await SyncSession(
        "team", store: store, records: Self.records, source: team, sink: team, options: options)
      self.session = session
      let summary = try await session.run()
      if !summary.isUnchanged { problem = nil }
    } catch let error as SyncError {
      problem = "\(error)"
    } catch {
      problem = error.localizedDescription
    }
  }

  func lines(_ session: SyncSession) async -> [String] {
    var lines: [String] = []
    for await progress in session.progress where progress.phase == .pulling {
      lines.append("\(progress.counts.received) \(progress.estimate.map { "\($0)" } ?? "")")
    }
    return lines
  }

  func tidy(_ session: SyncSession, _ store: Store) async throws -> Int {
    let log = ConflictLog(of: store, records: Self.records)
    for conflict in try await log.conflicts(limit: 10) { try await log.undo(conflict) }
    for change in try await session.quarantine() {
      if try await !session.retry(change.id) { try await session.discard(change.id) }
    }
    return try await log.conflicts().count
  }

  func isWaiting(_ task: TodoTask, in store: Store) async throws -> Bool {
    try await store.pendingChange(of: TodoTask.self, key: task.id)?.state == .unsent
  }
}

extension Synchronization {
  /// Synchronises with a Kinto server, through the library's adapter.
  static func kinto(_ url: URL, _ store: Store) async throws -> SyncSession {
    let adapter = try KintoAdapter(
      url: url, bucket: "app", records: records, authorization: .basic(user: "me", password: "secret"))
    return try await SyncSession("kinto", store: store, records: records, source: adapter, sink: adapter)
  }

  /// Loads an exported file.
  static func loadFile(_ path: String, into store: Store) async throws -> SyncSummary {
    let project = SyncedRecord(Project.self)
    return try await SyncSession(
      "file", store: store, records: [project], source: JSONLinesSource(path: path, of: project, isComplete: true)
    ).run()
  }
}
