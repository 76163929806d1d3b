import Foundation
import Sanderling

/// Reads a record before it is replaced: members unknown to the device are sent back unchanged.
struct HTTPPresentRow {
  enum Reading {
    /// The JSON of the fields that are sent back.
    case row([String: String])
    /// The record differs from the one that the change is based on.
    case changed
    /// The record is deleted, and the server keeps it with this version.
    case deleted(version: String?)
    /// The server refused.
    case answer(HTTPResponse)
    /// The answer is no record.
    case unclear(String)
  }

  private let connection: HTTPConnection
  private let coding: HTTPRowCoding
  private let writes: HTTPWrites

  init(_ connection: HTTPConnection, _ coding: HTTPRowCoding, _ writes: HTTPWrites) {
    (self.connection, self.coding, self.writes) = (connection, coding, writes)
  }

  /// - Parameter version: The version that the record must have; nil for any.
  func row(at path: String, isOf version: String?) async throws -> Reading {
    let response = try await connection.send(HTTPRequest("GET", path))
    guard response.meaning(connection.options) == .done else { return .answer(response) }
    guard let row = row(response) else { return .unclear("the answer with the record to replace is no JSON object") }
    let declaration = coding.declaration
    let name = declaration.version ?? declaration.key.idField ?? coding.keyFields[0]
    guard let present = row.member(name)?.word else {
      return .unclear("the answer with the record to replace lacks \(name)")
    }
    let now = (declaration.version == nil ? writes.versionHeader.flatMap { response.header($0) } : present)
      .map(HTTPVersion.unquoted)
    if let flag = declaration.deletedFlag, row.member(flag)?.isTrue == true { return .deleted(version: now) }
    if let version, now != version { return .changed }
    return .row(row.filter { coding.isSentBack($0.key) }.mapValues(\.json))
  }

  private func row(_ response: HTTPResponse) -> [String: ForeignValue]? {
    do {
      var reader = JSONReader(response.json, depthLimit: connection.options.limits.depth)
      let members = try reader.object()
      guard let wrapper = writes.wrapper else { return members }
      guard case .json(let text)? = members[wrapper] else { return nil }
      var inner = JSONReader(text)
      return try inner.object()
    } catch {
      // An incomplete object can't be used.
      return nil
    }
  }
}
