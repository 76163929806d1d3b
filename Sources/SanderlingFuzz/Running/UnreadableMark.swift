import Sanderling

// Rows are compared by their stored values. An unreadable row is compared by a mark and its key.

extension [StorageValue] {
  private static let mark = StorageValue.text("a row that can't be read")

  /// Returns the mark of an unreadable row with a key. The sign of a zero doesn't belong to the key.
  static func unreadable(_ key: [StorageValue]) -> [StorageValue] {
    [mark] + key.map { if case .real(0) = $0 { .real(0) } else { $0 } }
  }

  var isUnreadable: Bool { first == Self.mark }
}

extension [UnreadableRow] {
  var marks: [[StorageValue]] { map { .unreadable($0.key) } }
}

extension Array where Element == [StorageValue] {
  /// The rows in the order of a live list: the readable rows first, then the unreadable ones.
  var asShown: [[StorageValue]] { filter { !$0.isUnreadable } + filter(\.isUnreadable) }
}

/// It is unknown which of a query's rows are unreadable, because several rows share a key.
struct UnknownRows: Error {}
