public import Foundation
import Sanderling

/// A change of a source that doesn't fit into the database, or of this device that the server refused.
public struct QuarantinedChange: Sendable, Hashable, Identifiable {
  /// The directions of a change: from the source, or to the server.
  public enum Direction: Sendable, Hashable {
    /// The change came from the source.
    case pulled
    /// The change was sent to the server.
    case sent
  }

  public let id: Int64
  /// Whether the change was pulled or sent.
  public let direction: Direction
  /// The pulled change, or the sent values. A number beyond the range of a double is `.real(.nan)`.
  public let change: SyncChange
  /// The reason for which the change doesn't fit. It contains no value.
  public let reason: String
  /// The column that the reason concerns, if it concerns one.
  public let column: String?
  /// The time when the change was quarantined.
  public let date: Date

  /// Whether the change is tried again whenever the table may have changed. False for a change that belongs to no row,
  /// or that its source refused.
  let isTriedAgain: Bool

  init(_ row: ResultRow) throws {
    id = try row.integer(at: 0, for: Int64.self)
    let kind = try QuarantinedChanges.Kind(rawValue: row.text(at: 7))
    direction = kind == .sent ? .sent : .pulled
    isTriedAgain = kind == .row
    change = try SyncChange(record: row.text(at: 1), key: row.text(at: 2), payload: row.text(at: 5))
    reason = try row.text(at: 3)
    column = try row.optionalText(at: 4)
    date = Date(timeIntervalSince1970: try row.real(at: 6, for: Double.self))
  }
}
