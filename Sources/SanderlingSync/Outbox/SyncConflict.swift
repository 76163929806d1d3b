public import Foundation
public import Sanderling

/// A value, row or deletion that was lost when a record was changed here and by another author.
public struct SyncConflict: Sendable, Hashable, Identifiable {
  /// Whose change it was.
  public enum Side: String, Sendable, Hashable {
    /// This device.
    case local
    /// The server, and so another device.
    case server
  }

  /// The value, row or deletion that got lost.
  public enum Loss: Sendable, Hashable {
    /// The value of a column, in whose place another one stayed.
    case value(column: String, lost: StorageValue, kept: StorageValue)
    /// The deletion: the record is still there, or again.
    case deletion
    /// The record with these values, by the names of the columns: it was deleted.
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
  /// When it was noticed, by this device's clock.
  public let date: Date
}
