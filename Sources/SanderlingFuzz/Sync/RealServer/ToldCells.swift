import Foundation
import Sanderling

/// The values that a real server sent at any time, by record, key, column and value. Also the rows that the server
/// reported as deleted.
final class ToldCells: Sendable {
  private let cells = Lock<Set<[String]>>([])

  /// The records by the first letter of their keys, because a row alone does not name its record.
  private static let records = ["f": "folder", "n": "note", "r": "remark", "t": "tag"]

  func contains(_ value: String, in cell: [String]) -> Bool { cells.withLock { $0.contains(cell + [value]) } }

  func hasDeletion(_ record: String, _ key: String) -> Bool { cells.withLock { $0.contains([record, key]) } }

  /// Records the texts of all rows in an answer's body, at any depth.
  func note(_ body: Data) {
    guard let value = try? JSONSerialization.jsonObject(with: body) else { return }
    var found: [[String]] = []
    Self.collect(value, into: &found)
    cells.withLock { $0.formUnion(found) }
  }

  private static func collect(_ value: Any, into found: inout [[String]]) {
    if let elements = value as? [Any] {
      for element in elements { collect(element, into: &found) }
    } else if let members = value as? [String: Any] {
      if let key = members["id"] as? String, let record = records[String(key.prefix(1))] {
        let isDeleted = members["deleted"] as? Bool == true || members["deleted_at"] is String
        if isDeleted { found.append([record, key]) }
        for case (let column, let text as String) in members { found.append([record, key, column, text]) }
      }
      for member in members.values { collect(member, into: &found) }
    }
  }
}
