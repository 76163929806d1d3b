import Foundation
import Sanderling

extension HTTPBatch {
  /// A request in the form of a part.
  func part(_ request: HTTPRequest) -> String {
    var members = [
      "method": StoredJSON.text(.text(request.method)),
      "path": StoredJSON.text(.text(pathPrefix + request.path)),
      "headers": HTTPPush.object(request.headers.mapValues { StoredJSON.text(.text($0)) }),
    ]
    if let body = request.body { members["body"] = String(decoding: body, as: UTF8.self) }
    return HTTPPush.object(members)
  }

  /// The answers to the parts.
  ///
  /// - Throws: ``HTTPError/malformed(path:reason:)``.
  func parts(_ response: HTTPResponse, count: Int, _ limits: HTTPLimits) throws -> [HTTPResponse] {
    let parts: [HTTPResponse]
    do {
      var reader = JSONReader(response.json, depthLimit: limits.depth)
      let rows = try reader.page(rowsIn: "responses", limit: limits.rows).rows ?? []
      parts = try rows.map { answer in
        guard case .integer(let status)? = answer["status"] else {
          throw HTTPError.malformed(path: path, reason: "an answer has no status")
        }
        var headers: [String: String] = [:]
        if case .json(let text)? = answer["headers"] {
          var reader = JSONReader(text)
          for (name, value) in try reader.object() { headers[name.lowercased()] = value.word }
        }
        var body: [UInt8] = []
        if case .json(let text)? = answer["body"] { body = Array(text.utf8) }
        return HTTPResponse(status: Int(clamping: status), headers: headers, body: body)
      }
    } catch let error as JSONSyntaxError {
      throw HTTPError.malformed(path: path, reason: "\(error.reason), at byte \(error.offset)")
    }
    guard parts.count == count else {
      throw HTTPError.malformed(path: path, reason: "there are \(parts.count) answers to \(count) requests")
    }
    return parts
  }
}
