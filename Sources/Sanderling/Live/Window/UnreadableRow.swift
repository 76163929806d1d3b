import GRDB

/// A row of a live list that can't be read: it stores a value that its type doesn't know, for example a case that a newer version of
/// the app has added to an enum.
///
/// The list shows its other rows. This row keeps its place: it counts towards the window, a limit and an offset, and it becomes an
/// element as soon as a change makes it readable.
///
/// ```swift
/// List(tasks.rows) { task in TaskRow(task) }
/// if !tasks.unreadableRows.isEmpty { Text("\(tasks.unreadableRows.count) tasks need a newer version of the app") }
/// ```
public struct UnreadableRow: Identifiable, Sendable {
  /// The identity of an unreadable row.
  enum Origin: Hashable, Sendable {
    /// The primary key of a row of the table with this name, which has so many values.
    case table(String, keyCount: Int)
    /// The values by which rows are grouped.
    case group
    /// All selected values: the query says no more.
    case values
  }

  /// Why the row can't be read: mostly ``StoreError/unreadableValue(table:column:reason:)``, which names the table, the column and, where
  /// it is a number or a UUID, the key. Where the row is fetched with associated rows, they may be those of an associated row.
  public let error: any Error
  /// The place of the row in the list. Its version differs when the row or the error does.
  let stamp: RowStamp
  private let origin: Origin

  /// - Parameter stamp: That of the row as it would be if it could be read.
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
  /// The identity of the row, which it has in ``LiveRows/identified`` when it can be read.
  public var id: RowID { RowID(key: stamp.withEncoding { RowKey(reading: $0.key) }) }

  /// The table in which the query begins, whose row it is; nil for a group of rows, and for a row that has no key.
  public var table: String? {
    if case .table(let name, _) = origin { name } else { nil }
  }

  /// The stored values of the row's primary key, in the order of the table's key. A group has the values that its rows are grouped by.
  /// Empty for a row without a key: in SQL that is written by hand, and among distinct rows.
  public var key: [StorageValue] {
    switch origin {
    // Behind the key of several rows, which is NULL then, is a number.
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
  /// Names the row and says why it can't be read. A key is named if it is a number or a UUID. A text may hold private data, so it is left out.
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
  /// Whether they are the same rows, with the same values.
  func areSame(as other: [UnreadableRow]) -> Bool {
    elementsEqual(other) { one, other in
      one.stamp.version == other.stamp.version && one.stamp.hash == other.stamp.hash && one.id == other.id
    }
  }
}

extension Error {
  /// Whether it is about the values of the row that was read, so that other rows can be read, and no failure of the database or of the
  /// query.
  var isAboutRow: Bool {
    if let error = self as? StoreError {
      if case .unreadableValue = error { return true }
      return false
    }
    return !(self is DatabaseError || self is RequeryReason || self is CancellationError)
  }
}
