import SanderlingSQL

/// Decides whether a declared type changes values. Opening a store, `sanderling records` and synchronisation share this
/// decision.
extension Affinity {
  /// Whether a column of the affinity returns a stored value unchanged, or as an equal number.
  ///
  /// A column declared UUID or STRING has NUMERIC affinity. It keeps `a1` but turns `0012` into the number 12.
  package func keeps(_ value: StorageValue) -> Bool {
    guard let stored = try? stored(value) else { return false }
    return value.isEqual(to: stored)
  }

  /// Whether a column of the affinity returns every value of a type.
  package func keepsAll(of type: ColumnType) -> Bool {
    switch (type, self) {
    // Blobs are never converted.
    case (.blob, _), (_, .blob): true
    case (.integer, .integer), (.integer, .numeric): true
    case (.text, .text): true
    // A real may be stored as the integer that equals it.
    case (.real, .real), (.real, .numeric), (.real, .integer): true
    default: false
    }
  }
}

extension StorageValue {
  /// Whether two values are identical byte by byte, or equal numbers.
  package func isEqual(to other: StorageValue) -> Bool {
    switch (self, other) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
      Int64(exactly: real) == integer
    case (.real(let real), .real(let other)): real == other
    case (.text(let text), .text(let other)): text.isIdentical(to: other)
    default: self == other
    }
  }
}
