import GRDB

/// Makes elements of GRDB's rows as GRDB's own `fetchAll` does, and identifies the rows.
struct FetchedRowReader<Element> {
  private let decode: (Row) throws -> Element?
  /// Whether the elements are values of the first column, and no records.
  private let readsValues: Bool
  /// The table and its key columns; nil for elements without a table, and for views.
  private let key: (table: String, columns: [String])?

  /// - Throws: ``StoreError/invalidQuery(_:)`` if GRDB can't fetch the elements either.
  init(_ db: Database) throws {
    if let type = Element.self as? any FetchableRecord.Type {
      (decode, readsValues) = (Self.records(type), false)
    } else if let type = Element.self as? any DatabaseValueConvertible.Type {
      (decode, readsValues) = (Self.values(type), true)
    } else {
      throw StoreError.invalidQuery(
        "\(Element.self) is neither a FetchableRecord nor a DatabaseValueConvertible of GRDB: give the request another type by asRequest(of:)"
      )
    }
    let table = (Element.self as? any TableRecord.Type)?.databaseTableName
    // A view has no primary key.
    key = table.flatMap { table in (try? db.primaryKey(table)).map { (table, $0.columns) } }
  }

  private static func records<Record: FetchableRecord>(_ type: Record.Type) -> (Row) throws -> Element? {
    { try Record(row: $0) as? Element }
  }

  private static func values<Value: DatabaseValueConvertible>(_ type: Value.Type) -> (Row) throws -> Element? {
    { row in row.first.flatMap { Value.fromDatabaseValue($0.1) } as? Element }
  }

  /// Makes the element of a row.
  ///
  /// - Throws: ``StoreError/unreadableValue(table:column:reason:)``, and the errors of the app's own initializer.
  func element(_ row: Row) throws -> Element {
    do {
      if let element = try decode(row) { return element }
      throw unreadable(column: row.first?.0)
    } catch let error as RowDecodingError {
      if let missing = error.missingColumn { throw unreadable(column: missing, "the row has no such column") }
      throw unreadable(column: error.column(of: row))
    } catch DecodingError.valueNotFound(_, let context), DecodingError.typeMismatch(_, let context) {
      throw unreadable(column: context.codingPath.first?.stringValue)
    } catch DecodingError.dataCorrupted(let context) {
      throw unreadable(column: context.codingPath.first?.stringValue)
    } catch DecodingError.keyNotFound(let key, _) {
      throw unreadable(column: key.stringValue, "the row has no such column")
    }
  }

  /// Makes the element of the only row, like GRDB's `fetchOne`: nil for a value that is NULL.
  func single(_ row: Row) throws -> Element? {
    if readsValues, row.first?.1.isNull ?? true { return try decode(row) }
    return try element(row)
  }

  private func unreadable(column: String?, _ reason: String? = nil) -> StoreError {
    .unreadableValue(
      table: key?.table, column: column, reason: reason ?? "GRDB can't make a value of \(Element.self) of it")
  }

  /// The values that identify a row: those of its table's primary key, or the `id` of its element, or all values.
  /// Several rows may have them.
  func identity(of row: Row, _ element: Element?) -> (values: [StorageValue], origin: UnreadableRow.Origin) {
    if let key, key.columns.allSatisfy(row.hasColumn) {
      let values = key.columns.map { StorageValue((row[$0] as DatabaseValue?) ?? .null) }
      return (values, .table(key.table, keyCount: values.count))
    }
    if let id = (element as? any Identifiable).flatMap({ $0.id as? any DatabaseValueConvertible }) {
      return ([StorageValue(id.databaseValue)], .values)
    }
    return (row.unadapted.map { StorageValue($0.1) }, .values)
  }
}

/// GRDB names the column only in the text of the error, which also contains stored values.
extension RowDecodingError {
  /// The column that can't be decoded; nil if it is unknown.
  fileprivate func column(of row: Row) -> String? {
    let text = String(describing: self)
    return row.columnNames.first { text.contains("column: \"\($0)\"") }
  }

  /// The column that the row has not, by the type's own name for it; nil if another error occurred.
  fileprivate var missingColumn: String? {
    let (text, prefix) = (String(describing: self), "column not found: \"")
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count).prefix { $0 != "\"" }) : nil
  }
}

extension Row {
  /// A number that changes with the row and its prefetched rows: see ``RowHash``.
  var fingerprint: UInt64 {
    var hash = RowHash()
    combine(into: &hash)
    return hash.value
  }

  private func combine(into hash: inout RowHash) {
    for (_, value) in unadapted { hash.combine(StorageValue(value)) }
    combinePrefetched(into: &hash)
  }

  /// Combines the prefetched rows of this row and of its joined rows.
  private func combinePrefetched(into hash: inout RowHash) {
    for key in prefetchedRows.keys.sorted() {
      let rows = prefetchedRows[key] ?? []
      hash.combine(UInt64(rows.count), 0)
      for row in rows { row.combine(into: &hash) }
    }
    for name in scopes.names.sorted() { scopes[name]?.combinePrefetched(into: &hash) }
  }
}

extension RowHash {
  fileprivate mutating func combine(_ value: StorageValue) {
    switch value {
    case .null: combine(.null as EncodedValue)
    case .integer(let integer): combine(.integer(integer) as EncodedValue)
    case .real(let real): combine(.real(real) as EncodedValue)
    case .text(var text): text.withUTF8 { combine(.text(UnsafeRawBufferPointer($0)) as EncodedValue) }
    case .blob(let data): data.withUnsafeBytes { combine(.blob($0) as EncodedValue) }
    }
  }
}
