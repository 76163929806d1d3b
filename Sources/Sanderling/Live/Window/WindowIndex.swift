/// Finds what a window's rows are sorted by from their keys. Small windows do without.
struct WindowIndex: Sendable {
  /// How many rows a window has at least before it uses an index.
  static let leastCount = 128

  /// Nil while the index isn't used.
  private var values: [RowKey: [StorageValue]]?

  init() {}

  init(rows: some Sequence<(RowKey, [StorageValue])>) {
    values = Dictionary(rows) { _, last in last }
  }

  var isUsed: Bool { values != nil }

  func contains(_ key: RowKey) -> Bool { values?[key] != nil }

  func sortValues(of key: RowKey) -> [StorageValue]? { values?[key] }

  mutating func update(_ key: RowKey, to sortValues: [StorageValue]) { values?[key] = sortValues }

  mutating func remove(_ key: RowKey) { values?[key] = nil }
}
