import ArgumentParser
import Foundation
import GRDB
import Sanderling
import SanderlingSync

/// The protocol of a server.
enum SyncServer: String, CaseIterable, ExpressibleByArgument {
  case kinto, pocketbase, json
}

/// Synchronises collections of a server with tables of the same names.
struct ServerSync: Sendable {
  let url: URL
  let server: SyncServer
  let database: String
  let records: [String]
  let key: [String]
  let bucket: String
  let rows: String?
  let user: String?
  let users: String
  let secret: String?
  let isSending: Bool
  let isStrict: Bool
  var allowsMassDeletion = false
  /// Whether columns that only the server's rows have are added to the tables.
  var alters = false
  /// The longest pause that a server may request; nil for any.
  var greatestWait: Duration?
  let output: ProgressOutput

  /// Returns the secret from the environment or a file. Arguments are no place for it, since all processes of a machine
  /// can read them.
  ///
  /// - Throws: ``SyncCommandError/noSecret(_:)``.
  static func secret(file: String?, environment: [String: String]) throws -> String? {
    guard let file else { return environment["SANDERLING_SYNC_TOKEN"].flatMap { $0.isEmpty ? nil : $0 } }
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw SyncCommandError.noSecret("\(file) can't be read. --token-file needs a file with the token or password.")
    }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// - Throws: ``SyncCommandError``, `HTTPError`, `SyncError`, `StoreError`, `CancellationError`.
  func run() async throws -> SyncReport {
    let store = try SyncDatabase.open(database)
    var synced: [SyncedRecord] = []
    for name in records {
      let found = try await store.read { try SyncedRecord(found: name, key: key, $0.database) }
      guard let found else {
        synced.append(try await createTable(name, in: store))
        continue
      }
      synced.append(alters ? try await addColumns(to: found, in: store) : found)
    }
    let connection = try adapter(synced)
    let session = try await SyncSession(
      "server \(url.absoluteString) into \(records.sorted().joined(separator: ", "))", store: store, records: synced,
      source: connection, sink: isSending ? connection : nil,
      options: SyncOptions(misfits: isStrict ? .stop : .quarantine, allowsMassDeletion: allowsMassDeletion))
    let report = try await session.run(
      records.joined(separator: ", "), of: url.absoluteString, into: store, at: database, on: output)
    try SyncDatabase.close(store)
    return report
  }

  /// Tests whether the server follows its adapter's protocol. Writes nothing, neither to the server nor to the
  /// database.
  ///
  /// - Throws: ``SyncCommandError``, `HTTPError`, `StoreError`, `CancellationError`.
  func check() async throws -> [HTTPFinding] {
    var synced: [SyncedRecord] = []
    let store = FileManager.default.fileExists(atPath: database) ? try SyncDatabase.open(database) : nil
    for name in records {
      let found = try await store?.read { try SyncedRecord(found: name, key: key, $0.database) }
      synced.append(found ?? SyncedRecord(unknown: name, key: key.isEmpty ? ["id"] : key))
    }
    let findings = try await adapter(synced).check()
    try store?.close()
    return findings
  }

  /// Creates a table for a collection, with the columns of its rows.
  private func createTable(_ name: String, in store: Store) async throws -> SyncedRecord {
    let keyNames = key.isEmpty ? ["id"] : key
    let unknown = SyncedRecord(unknown: name, key: keyNames)
    let found = try await adapter([unknown]).foundColumns(of: unknown)
    let origin = url.absoluteString
    if Set(found.columns.map(\.name)).isSubset(of: keyNames) { throw SyncCommandError.noRows(name, origin: origin) }
    return try await SyncDatabase.createTable(name, found, of: origin, key: key, in: store)
  }

  /// Adds the columns of the collection's rows to a table.
  private func addColumns(to record: SyncedRecord, in store: Store) async throws -> SyncedRecord {
    let found = try await adapter([record]).foundColumns(of: record)
    return try await SyncDatabase.addColumns(to: record.name, found, key: key, in: store)
  }

  private func adapter(_ synced: [SyncedRecord]) throws -> HTTPAdapter {
    switch server {
    case .kinto:
      return try KintoAdapter(
        url: url, bucket: bucket, records: synced, authorization: authorization, options: options
      ).adapter
    case .pocketbase:
      return try PocketBaseAdapter(url: url, records: synced, authorization: authorization, options: options).adapter
    case .json:
      return HTTPAdapter(
        try HTTPConnection(url, authorization: authorization, options: options),
        records: synced.map { record in
          var declaration = HTTPRecord(record, path: HTTPRequest.encoded(record.name))
          declaration.rows = rows
          return declaration
        })
    }
  }

  var options: HTTPOptions {
    var options = HTTPOptions()
    if let greatestWait { options.greatestWait = max(options.greatestWait, greatestWait) }
    options.onWait = { [greatestWait, output] wait in
      let until = Date.now.addingTimeInterval(wait.duration.seconds)
      if wait.isRequested, let greatestWait, wait.duration > greatestWait {
        throw SyncCommandError.wait(address: wait.address, wait.duration, until: until)
      }
      // A shorter wait ends before its message is read.
      guard output != .none, wait.duration >= .seconds(2) else { return }
      ProgressOutput.write(Self.announcement(of: wait, until: until) + "\n")
    }
    return options
  }

  static func announcement(of wait: HTTPWait, until: Date) -> String {
    let cause =
      switch (wait.status, wait.isRequested) {
      case (let status?, true): "the server answered \(status) and asks for a pause"
      case (nil, true): "the server asks for a pause"
      case (let status?, false): "the server answered \(status)"
      case (nil, false): "the server gave no answer"
      }
    let time = "Waiting for \(wait.duration.brief), until \(until.clockTime); Ctrl-C ends it."
    return "\(wait.address.printable): \(cause). \(time)"
  }

  private var authorization: HTTPAuthorization? {
    guard let secret else { return nil }
    switch (server, user) {
    case (.pocketbase, let user?):
      return PocketBaseAdapter.password(
        url: url, collection: users, identity: user, password: secret, options: options)
    case (.pocketbase, nil): return HTTPAuthorization { _ in secret }
    case (_, let user?): return .basic(user: user, password: secret)
    case (_, nil): return .bearer { _ in secret }
    }
  }
}
