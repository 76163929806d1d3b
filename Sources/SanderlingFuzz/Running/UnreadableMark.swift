import Sanderling

// Rows are compared by their stored values. A row that can't be read is compared by a mark and its key.

extension [StorageValue] {
  private static let mark = StorageValue.text("a row that can't be read")

  /// The row with a key, which can't be read. The sign of a zero is no part of a key.
  static func unreadable(_ key: [StorageValue]) -> [StorageValue] {
    [mark] + key.map { if case .real(0) = $0 { .real(0) } else { $0 } }
  }

  var isUnreadable: Bool { first == Self.mark }
}

extension [UnreadableRow] {
  var marks: [[StorageValue]] { map { .unreadable($0.key) } }
}

extension Array where Element == [StorageValue] {
  /// The rows as a live list shows them: those that can be read, and behind them the others.
  var asShown: [[StorageValue]] { filter { !$0.isUnreadable } + filter(\.isUnreadable) }
}

/// Which of a query's rows can't be read isn't known: several have one key.
struct UnknownRows: Error {}
