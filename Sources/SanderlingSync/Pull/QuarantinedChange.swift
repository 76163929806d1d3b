public import Foundation
import Sanderling

/// A change of a source that doesn't fit into the database.
public struct QuarantinedChange: Sendable, Hashable, Identifiable {
  public let id: Int64
  public let change: SyncChange
  /// Why it doesn't fit. Names no value.
  public let reason: String
  /// The column that it is about, where it is about one.
  public let column: String?
  /// When it came.
  public let date: Date

  init(_ row: ResultRow) throws {
    id = try row.integer(at: 0, for: Int64.self)
    change = try SyncChange(record: row.text(at: 1), key: row.text(at: 2), payload: row.text(at: 5))
    reason = try row.text(at: 3)
    column = try row.optionalText(at: 4)
    date = Date(timeIntervalSince1970: try row.real(at: 6, for: Double.self))
  }
}
