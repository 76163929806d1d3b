import GRDB

/// A row of a live list that can't be read, since it stores a value that its type doesn't know. For example, a newer
/// version of the app has added a case to an enum.
///
/// The list shows its other rows. This row keeps its place: it counts towards the window, a limit and an offset. It
/// becomes an element as soon as a change makes it readable.
///
/// ```swift
/// List(tasks.rows) { task in TaskRow(task) }
/// if !tasks.unreadableRows.isEmpty { Text("\(tasks.unreadableRows.count) tasks need a newer version of the app") }
/// ```
public struct UnreadableRow: Identifiable, Sendable {
  /// The kind of identity of an unreadable row.
  enum Origin: Hashable, Sendable {
    /// The primary key of a row of the table with this name, and the number of its values.
    case table(String, keyCount: Int)
    /// The grouping values of a group of rows.
    case group
    /// All selected values, since the query has no key.
    case values
  }

  /// The reason why the row can't be read. It is mostly ``StoreError/unreadableValue(table:column:reason:)``, which
  /// names the table, the column and, where it is a number or a UUID, the key. In a row with associated rows, the value
  /// may be an associated row's.
  public let error: any Error
  /// The stamp of the row in the list. Its version changes with the row and with the error.
  let stamp: RowStamp
  private let origin: Origin

  /// - Parameter stamp: The stamp that the row would have if it were readable.
  init(_ stamp: RowStamp, _ origin: Origin, _ error: any Error) {
    // The unreadable values may be those of an associated row.
    var stamp = stamp
    stamp.combineVersion(UInt64(truncatingIfNeeded: String(describing: error).hashValue))
    self.stamp = stamp
    self.origin = origin
    self.error = error
  }
}

extension UnreadableRow {
  /// The identity of the row. It has the same in ``LiveRows/identified`` when it is readable.
  public var id: RowID { RowID(key: stamp.withEncoding { RowKey(reading: $0.key) }) }

  /// The table of the row, with which the query begins; nil for a group of rows, and for a row without a key.
  public var table: String? {
    if case .table(let name, _) = origin { name } else { nil }
  }

  /// The stored values of the row's primary key, in the order of the table's key. A group has its grouping values.
  /// Empty for a row without a key: in SQL written by hand, and among distinct rows.
  public var key: [StorageValue] {
    switch origin {
    // After a key that several rows share, since it is NULL, comes a number that is not part of the key.
    case .table(_, let keyCount): Array(id.key.values.prefix(keyCount))
    case .group: id.key.values
    case .values: []
    }
  }
}

extension UnreadableRow.Origin {
  /// The primary key of a row of a type's table.
  static func table(_ type: RecordType) -> UnreadableRow.Origin {
    .table(type.table.name, keyCount: type.table.key.count)
  }
}

extension UnreadableRow: CustomStringConvertible {
  /// Names the row and the reason. A key is named if it is a number or a UUID. A text may hold private data, so it is
  /// left out.
  public var description: String {
    let values = key.map(\.key)
    let known = values.compactMap { $0 }
    let place = known.isEmpty || known.count < values.count ? "" : " with the key \(known.joined(separator: ", "))"
    let row =
      switch origin {
      case .table(let name, _): "The row\(place) of table \(name)"
      case .group: "The group\(place)"
      case .values: "A row"
      }
    return "\(row) can't be shown. \(error)"
  }
}

extension [UnreadableRow] {
  /// Whether both have the same rows with the same values.
  func areSame(as other: [UnreadableRow]) -> Bool {
    elementsEqual(other) { one, other in
      one.stamp.version == other.stamp.version && one.stamp.hash == other.stamp.hash && one.id == other.id
    }
  }
}

extension Error {
  /// Whether the error concerns only the values of one row, so that other rows can be read. Failures of the database or
  /// the query concern more.
  var isAboutRow: Bool {
    if let error = self as? StoreError {
      if case .unreadableValue = error { return true }
      return false
    }
    return !(self is DatabaseError || self is RequeryReason || self is CancellationError)
  }
}
