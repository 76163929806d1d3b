import ArgumentParser
import Foundation
import Sanderling
import SanderlingSync

/// A server of another project, started by `Scripts/servers`. Each round recreates its collections for the devices'
/// records.
package struct RealServer: Sendable {
  package enum Kind: String, CaseIterable, ExpressibleByArgument, Sendable {
    case kinto, pocketbase, rest

    /// The variable of `Scripts/servers` with its address.
    var variable: String { "SANDERLING_\(rawValue.uppercased())" }
  }

  let kind: Kind
  let port: UInt16
  /// The connection data, for devices and the fuzzer.
  let access: ServerAccess
  private let script: ServerScript

  /// Starts the server if it isn't running.
  package init(_ kind: Kind, by script: ServerScript) async throws {
    let variables = try await onThread { try script.start(kind) }
    guard let url = variables[kind.variable].flatMap({ URL(string: $0) }),
      let port = url.port.flatMap({ UInt16(exactly: $0) })
    else { throw SyncFuzzFailure("Scripts/servers doesn't say where \(kind.rawValue) is") }
    (self.kind, self.port, self.script) = (kind, port, script)
    access = ServerAccess(kind: kind, secret: variables[ServerAccess.secretName] ?? "")
  }

  /// Stops the server and starts it again with its stored data.
  func restart() async throws { try await onThread { [script, kind] in try script.restart(kind) } }

  private func connection() throws -> HTTPConnection {
    var options = HTTPOptions()
    // Kinto answers with this status when two requests collide in its database.
    if kind == .kinto { options.busyStatuses = [409] }
    return try HTTPConnection(
      access.url(port: port), authorization: access.authorization(port: port), options: options)
  }

  /// Recreates the collections, with the rows that all devices begin with.
  func begin() async throws {
    let connection = try connection()
    if kind == .kinto {
      _ = try await connection.send(HTTPRequest("DELETE", "buckets/\(ServerAccess.bucket)"))
      _ = try await connection.read(HTTPRequest("PUT", "buckets/\(ServerAccess.bucket)")) { $0 }
    }
    for (record, _) in DeviceRecords.columns {
      switch kind {
      case .kinto:
        _ = try await connection.read(HTTPRequest("PUT", "buckets/\(ServerAccess.bucket)/collections/\(record)")) { $0 }
      case .pocketbase:
        _ = try await connection.send(HTTPRequest("DELETE", "api/collections/\(record)"))
        let body = Data(Self.collection(record).utf8)
        _ = try await connection.read(HTTPRequest("POST", "api/collections", body: body)) { $0 }
      case .rest:
        let columns = (DeviceRecords.columns.first { $0.0 == record }?.1 ?? []).filter { $0 != "id" }
        let members = columns.map { "\"\($0)\":null" }.joined(separator: ",")
        let body = Data("{\"columns\":{\(members)}}".utf8)
        _ = try await connection.read(HTTPRequest("PUT", "v1/collections/\(record)", body: body)) { $0 }
      }
    }
    for key in ServerTables.counters { try await write("counter", key, "\"count\":0", isNew: true, connection) }
    for number in 1...4 {
      let fields = "\"name\":\"s-folder-\(number)\",\"parent\":null"
      try await write("folder", "f\(number)", fields, isNew: true, connection)
    }
  }

  private static func collection(_ record: String) -> String {
    let columns = DeviceRecords.columns.first { $0.0 == record }?.1 ?? []
    let fields = columns.filter { $0 != "id" }.map { column in
      let type =
        switch column {
        case "parent", "folder", "body", "mark": "json"
        case "at", "flag", "n", "count": "number"
        default: "text"
        }
      return "{\"name\":\"\(column)\",\"type\":\"\(type)\"}"
    }
    return """
      {"name":"\(record)","type":"base","fields":[
        {"name":"id","type":"text","primaryKey":true,"required":true,"system":true,"pattern":"^[a-z0-9]+$","min":1,"max":15,
         "autogeneratePattern":"[a-z0-9]{15}"},
        {"name":"version","type":"text"},{"name":"deleted","type":"bool"},
        {"name":"updated","type":"autodate","onCreate":true,"onUpdate":true},\(fields.joined(separator: ","))],
       "indexes":["CREATE INDEX \(record)_updated ON \(record) (updated, id)"]}
      """
  }

  private func write(
    _ record: String, _ key: String, _ fields: String, isNew: Bool, _ connection: HTTPConnection
  ) async throws {
    let request: HTTPRequest
    switch kind {
    case .kinto:
      let path = "buckets/\(ServerAccess.bucket)/collections/\(record)/records/\(key)"
      request = HTTPRequest(isNew ? "PUT" : "PATCH", path, body: Data("{\"data\":{\(fields)}}".utf8))
    case .pocketbase:
      let path = "api/collections/\(record)/records"
      let body = Data("{\"id\":\"\(key)\",\(fields)}".utf8)
      request = HTTPRequest(isNew ? "POST" : "PATCH", isNew ? path : "\(path)/\(key)", body: body)
    case .rest:
      request = HTTPRequest(isNew ? "PUT" : "PATCH", "v1/\(record)/\(key)", body: Data("{\(fields)}".utf8))
    }
    _ = try await connection.read(request) { $0 }
  }

  /// All rows of the server, as its adapter reads them.
  func rows() async throws -> [RealRow] {
    let records = DeviceRecords.synced(isNew: true, DevicePolicy(rule: "merge", deletion: "change"))
    var rows: [String: RealRow] = [:]
    let source = try access.adapter(port: port, records: records, isFollowed: false)
    for try await batch in source.batches(after: nil) {
      for change in batch.changes {
        guard case .text(let key)? = change.key.first else { continue }
        guard case .row(let values) = change.content else {
          rows[change.record + " " + key] = nil
          continue
        }
        rows[change.record + " " + key] = RealRow(
          record: change.record, key: key, values: values, version: change.version)
      }
    }
    return rows.values.sorted { ($0.record, $0.key) < ($1.record, $1.key) }
  }

  /// Repairs references as the server's owner would, because the server does not enforce them: a row without its parent
  /// is deleted, or its reference is cleared.
  ///
  /// - Returns: The previous cells of the repaired rows.
  func tidy() async throws -> [[String]: String] {
    let rows = try await rows()
    let names = Set(rows.map { $0.record + " " + $0.key })
    let connection = try connection()
    var cells: [[String]: String] = [:]
    for row in rows {
      for (record, column, parent) in ServerEdits.references where record == row.record {
        guard case .text(let key)? = row.values[column], !names.contains(parent + " " + key) else { continue }
        for (name, value) in row.values { cells[[record, row.key, name]] = WireValue(value).description }
        if record != "remark" {
          try await write(record, row.key, "\"\(column)\":null", isNew: false, connection)
        } else {
          switch kind {
          case .kinto:
            let path = "buckets/\(ServerAccess.bucket)/collections/\(record)/records/\(row.key)"
            _ = try await connection.send(HTTPRequest("DELETE", path))
          case .pocketbase: try await write(record, row.key, "\"deleted\":true", isNew: false, connection)
          case .rest: _ = try await connection.send(HTTPRequest("DELETE", "v1/\(record)/\(row.key)"))
          }
        }
      }
    }
    return cells
  }
}

/// A row of a real server.
struct RealRow: Sendable {
  let record: String
  let key: String
  let values: [String: StorageValue]
  let version: String?
}
