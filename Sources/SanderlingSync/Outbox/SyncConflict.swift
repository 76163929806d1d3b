public import Foundation
public import Sanderling

/// A value, row or deletion that was lost when a record was changed here and by another author.
public struct SyncConflict: Sendable, Hashable, Identifiable {
  /// The authors of a lost change.
  public enum Side: String, Sendable, Hashable {
    /// This device is the author.
    case local
    /// Another device is the author. Its change came from the server.
    case server
  }

  /// The value, row or deletion that got lost.
  public enum Loss: Sendable, Hashable {
    /// The value of a column. Another value was kept.
    case value(column: String, lost: StorageValue, kept: StorageValue)
    /// The deletion. The record still exists, or exists again.
    case deletion
    /// The record with these values, by the names of the columns. The record was deleted.
    case row([String: StorageValue])
  }

  public let id: Int64
  /// The record's name: the `named:` of its ``SyncedRecord``.
  public let record: String
  /// The values of its primary key, in the order of the key's columns.
  public let key: [StorageValue]
  /// The side whose change got lost.
  public let side: Side
  /// The value, row or deletion that got lost.
  public let loss: Loss
  /// The time at which the conflict was found, by this device's clock.
  public let date: Date
}
