import Foundation
import Sanderling

/// Converts a server's rows to changes, and changes to requests' fields.
struct HTTPRowCoding: Sendable {
  let declaration: HTTPRecord
  private let limits: HTTPLimits
  private let path: String
  private let columns: [String: RecordColumn]
  private let keyColumns: [String]
  private let uuidColumns: Set<String>
  /// The column and the form of each field.
  private let places: [String: (column: RecordColumn, field: HTTPField)]
  /// The fields that only the server writes.
  private let serverFields: Set<String>
  /// The server's fields, and fields that have a column's name but belong elsewhere. If they were kept under this name,
  /// they would overwrite the column.
  private let unkept: Set<String>
  /// Called with each row from the server, and its key.
  var sees: (@Sendable (_ row: [String: ForeignValue], _ key: [StorageValue]) -> Void)?
  /// Called with the server's values of each row that belong to columns.
  var notes: (@Sendable ([String: ForeignValue]) -> Void)?

  init(_ declaration: HTTPRecord, _ limits: HTTPLimits) {
    self.declaration = declaration
    self.limits = limits
    path = declaration.path
    let table = declaration.record.table
    columns = Dictionary(table.columns.map { ($0.name, $0) }) { first, _ in first }
    keyColumns = table.keyColumns.map(\.name)
    uuidColumns = Set(table.columns.filter(\.isUUID).map(\.name))
    places = Dictionary(
      table.columns.filter { !declaration.localColumns.contains($0.name) }.map { column in
        let field = declaration.fields[column.name] ?? HTTPField(column.name)
        return (field.name, (column, field))
      }
    ) { first, _ in first }
    var serverFields = declaration.ignoredFields
    serverFields.formUnion([declaration.key.idField, declaration.version, declaration.deletedFlag].compactMap { $0 })
    if case .field(let name, let order)? = declaration.since?.place {
      serverFields.insert(name)
      if case .key(let key) = order { serverFields.insert(key) }
    }
    self.serverFields = serverFields
    unkept = serverFields.union(columns.keys)
  }

  private func field(_ column: String) -> HTTPField { declaration.fields[column] ?? HTTPField(column) }

  /// The fields of the key's columns.
  var keyFields: [String] { keyColumns.map { field($0).name } }

  /// Whether a field from the server is sent back when the row is replaced; the server itself writes the other fields.
  func isSentBack(_ name: String) -> Bool { places[name] != nil || !serverFields.contains(name) }

  /// The fields of the columns that are sent and read, except a column that the id represents.
  var columnFields: [(column: RecordColumn, field: String)] {
    places.values.map { ($0.column, $0.field.name) }.filter { column, _ in
      declaration.key.idField == nil || !keyColumns.contains(column.name)
    }.sorted { $0.field < $1.field }
  }

  /// Whether a field from the server belongs to a column or to the declaration.
  func isDeclared(_ name: String) -> Bool { places[name] != nil || unkept.contains(name) }

  // MARK: Ids

  /// The id made from a key; nil for a key that can't be part of a path.
  func id(of key: [StorageValue]) -> String? {
    declaration.key.id(key).map { isUUIDKey ? declaration.uuids.text($0) : $0 }
  }

  /// The id of a UUID in the other case; nil for other keys, and if both are the same.
  func otherID(of key: [StorageValue], than id: String) -> String? {
    guard isUUIDKey, UUID(uuidString: id) != nil else { return nil }
    return [id.uppercased(), id.lowercased()].first { $0 != id }
  }

  private var isUUIDKey: Bool { keyColumns.count == 1 && uuidColumns.contains(keyColumns[0]) }

  /// The server's own id of a row; nil if it equals the one made from the key.
  private func ownID(_ row: [String: ForeignValue], _ key: [StorageValue]) -> String? {
    guard keyColumns.count == 1, case .text(let given)? = row.member(declaration.key.idField ?? keyFields[0]),
      let made = id(of: key)
    else { return nil }
    return given == made || given.isEmpty || given == "." || given == ".." ? nil : given
  }

  // MARK: From the server

  func change(_ row: [String: ForeignValue]) throws -> SyncChange {
    if row.count > limits.columns {
      throw HTTPError.exceeds(path: path, what: "members in a row", limit: limits.columns)
    }
    if row.values.contains(where: { $0.size > limits.field }) {
      throw HTTPError.exceeds(path: path, what: "bytes in a value", limit: limits.field)
    }
    let key = key(row)
    sees?(row, key)
    let version = declaration.version.flatMap { row.member($0)?.word }
    if let flag = declaration.deletedFlag, row.member(flag)?.isTrue == true {
      return SyncChange(declaration.record.name, key: key, .deletion, version: version)
    }
    notes?(row.filter { places[$0.key] != nil || !unkept.contains($0.key) })
    var values: [String: StorageValue] = [:]
    values.reserveCapacity(row.count)
    for (name, value) in row {
      if let (column, field) = places[name] {
        if !keyColumns.contains(column.name) { values[column.name] = stored(value, column, field.form) }
      } else if !unkept.contains(name) {
        values[name] = value.plain
      }
    }
    let stored = HTTPVersion(version: version, id: ownID(row, key)).stored
    return SyncChange(declaration.record.name, key: key, .row(values), version: stored)
  }

  /// NULL if the row has no key; such a row doesn't fit.
  private func key(_ row: [String: ForeignValue]) -> [StorageValue] {
    if let idField = declaration.key.idField {
      return row.member(idField)?.word.flatMap(declaration.key.key) ?? keyColumns.map { _ in .null }
    }
    return keyColumns.map { name in
      guard let column = columns[name], let value = row[field(name).name] else { return .null }
      return stored(value, column, field(name).form)
    }
  }

  private func stored(_ value: ForeignValue, _ column: RecordColumn, _ form: HTTPField.Form) -> StorageValue {
    switch (form, value) {
    case (.seconds, _), (.milliseconds, _):
      let number: Double? =
        switch value {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        case .number(let text): Double(text)
        default: nil
        }
      guard let number else { return column.stored(value) }
      let date = Date(timeIntervalSince1970: form == .seconds ? number : number / 1000)
      return (try? ISO8601Coding.encode(date)).map { column.stored(ForeignValue($0)) } ?? value.plain
    case (.text, .text(let text)):
      return column.type == .text ? column.stored(.json(text)) : column.stored(field: text)
    default: return column.stored(value)
    }
  }

  // MARK: To the server

  /// The columns' values as JSON, by the server's fields.
  ///
  /// - Parameters:
  ///   - id: The id in the row's address.
  ///   - parents: The server's own ids of rows that columns refer to.
  func fields(
    _ values: [String: StorageValue], id: String, parents: [String: String]
  ) -> [String: String] {
    var fields: [String: String] = [:]
    for (name, value) in values {
      guard let column = columns[name], !declaration.localColumns.contains(name) else { continue }
      // The id represents the key's only column.
      if keyColumns == [name], declaration.key.idField != nil { continue }
      let field = field(name)
      var foreign = column.foreign(value)
      if uuidColumns.contains(name), case .text(let text) = foreign {
        let given = keyColumns == [name] ? id : parents[name]
        foreign = .text(given ?? declaration.uuids.text(text))
      }
      fields[field.name] = self.foreign(foreign, field.form).json
    }
    return fields
  }

  private func foreign(_ value: ForeignValue, _ form: HTTPField.Form) -> ForeignValue {
    switch (form, value) {
    case (.seconds, .text(let text)), (.milliseconds, .text(let text)):
      guard let date = try? ISO8601Coding.decode(.text(text)) else { return value }
      if form == .milliseconds { return .integer(Int64((date.timeIntervalSince1970 * 1000).rounded())) }
      let seconds = date.timeIntervalSince1970
      return Int64(exactly: seconds).map { .integer($0) } ?? .real(seconds)
    case (.text, .json(let text)): return .text(text)
    case (.text, .bool(let bool)): return .text(bool ? "true" : "false")
    case (.text, _): return value.word.map { .text($0) } ?? value
    default: return value
    }
  }
}
