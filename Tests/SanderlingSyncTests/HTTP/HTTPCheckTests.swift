import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// `HTTPAdapter.check()` reports the mistakes in a declaration of a server's collections.
@Suite struct HTTPCheckTests {
  /// A server with three rows, which it lists in pages of two.
  private func server(_ flag: @escaping @Sendable (Int) -> String = { _ in "null" }) throws -> ScriptedServer {
    try ScriptedServer { _, request in
      let query = request.query.split(separator: "&").reduce(into: [String: String]()) { query, part in
        let parts = part.split(separator: "=", maxSplits: 1).map(String.init)
        query[parts[0]] = parts.count > 1 ? parts[1] : ""
      }
      func row(_ id: Int) -> String {
        "{\"id\":\(id),\"name\":\"f\",\"parentID\":null,\"v\":\(id),\"gone\":\(flag(id)),\"more\":1}"
      }
      if request.path != "/folders" {
        return request.path == "/folders/1" ? .json(row(1)) : .json("{}", status: 404)
      }
      let rows = (1...3).filter { $0 > (query["after"].flatMap { Int($0) } ?? 0) }
      let page = rows.prefix(2).map(row).joined(separator: ",")
      return .json("{\"data\":{\"rows\":[\(page)]},\"meta\":{\"total\":\(rows.count)}}")
    }
  }

  private func findings(
    _ server: ScriptedServer, _ change: (inout HTTPRecord) -> Void = { _ in }
  ) async throws -> (wrong: [String], untried: [String], confirmed: [String]) {
    var record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    record.rows = "data.rows"
    record.version = "v"
    record.deletedFlag = "gone"
    record.ignoredFields = ["more"]
    record.since = HTTPSince(.field("v", .unique), parameter: "after")
    record.pages = .afterLastRow(size: 2)
    record.count = .member("meta.total", query: [:])
    record.writes = HTTPWrites()
    change(&record)
    var options = HTTPOptions()
    options.backoff.attempts = 1
    let findings = try await HTTPAdapter(HTTPConnection(server.url, options: options), records: [record]).check()
    #expect(!findings.isEmpty && findings.allSatisfy { $0.record == "folder" })
    func messages(_ kind: HTTPFinding.Kind) -> [String] { findings.filter { $0.kind == kind }.map(\.message) }
    return (messages(.wrong), messages(.untried), messages(.confirmed))
  }

  @Test func aDeclarationIsConfirmed() async throws {
    let found = try await findings(try server())
    #expect(found.wrong.isEmpty && found.untried.isEmpty, "\(found)")
    #expect(found.confirmed.count == 7, "\(found.confirmed)")
    #expect(found.confirmed[0] == "2 rows came, and a second page after them")
  }

  @Test(arguments: [
    "rows", "field", "version", "flag", "deleted", "page", "since", "count", "path", "unknown", "address",
  ])
  func eachMistakeIsFound(mistake: String) async throws {
    let server =
      switch mistake {
      case "flag": try server { _ in "\"active\"" }
      case "deleted": try server { _ in "true" }
      default: try server()
      }
    let found = try await findings(server) { record in
      switch mistake {
      case "rows": record.rows = "items"
      case "field": record.fields = ["name": "nmae"]
      case "version": record.version = "etag"
      case "page":
        record.pages = .numbers(parameter: "page", size: 2)
        record.since = nil
        record.count = nil
      case "since":
        record.since = HTTPSince(.field("v", .unique), parameter: "afterr")
        record.pages = .single
        record.count = nil
      case "count": record.count = .member("meta.count", query: [:])
      case "path": record.path = "folder"
      case "unknown": record.ignoredFields = []
      case "address": record.key.id = { _ in "x" }
      default: break
      }
    }
    if mistake == "unknown" {
      #expect(found.wrong.isEmpty && found.untried.contains { $0.contains("more") })
    } else if mistake == "page" {
      // A repeated page ends numbered pages. The check can't know whether the server has other pages.
      #expect(found.untried.contains { $0.contains("only rows of the first page") }, "\(found)")
    } else {
      #expect(!found.wrong.isEmpty, "\(found)")
    }
  }

  @Test func checkOfAnEmptyServerConfirmsNothing() async throws {
    let server = try ScriptedServer { _, _ in .json("{\"data\":{\"rows\":[]},\"meta\":{\"total\":0}}") }
    let found = try await findings(server)
    #expect(found.wrong.isEmpty && found.confirmed.isEmpty && found.untried.count == 1)
    #expect(
      "\(HTTPFinding(kind: .wrong, record: "a", message: "b"))" == "wrong     a: b")
  }
}
