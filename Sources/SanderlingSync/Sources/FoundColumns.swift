import Foundation
import GRDB
import Sanderling
import SanderlingSQL

/// The columns of a file or of a server's rows, and the types of their values, for a table that doesn't exist yet.
package struct FoundColumns: Sendable {
  /// The common type of all values of a column.
  package enum Kind: Sendable {
    case boolean, integer
    /// Integers that no double represents exactly.
    case longInteger
    case real
    /// Reals, and integers that no double represents exactly.
    case number
    case text
    /// Bytes, as the user declares.
    case blob
    /// Values of several types, which all stay unchanged.
    case any

    var declaredType: String? {
      switch self {
      case .boolean: "BOOLEAN"
      case .integer, .longInteger: "INTEGER"
      case .real: "REAL"
      case .number: "NUMERIC"
      case .text: "TEXT"
      case .blob: "BLOB"
      case .any: nil
      }
    }

    /// STRICT tables have few types. Their ANY converts nothing.
    func declaredType(inStrictTable isStrict: Bool) -> String? {
      guard isStrict else { return declaredType }
      return switch self {
      case .boolean: "INTEGER"
      case .number, .any: "ANY"
      case .integer, .longInteger, .real, .text, .blob: declaredType
      }
    }
  }

  package struct Column: Sendable {
    package let name: String
    /// The kind for a mixture of types.
    private let mixture: Kind
    /// The common kind of the values so far; nil without a value.
    private var found: Kind?

    /// Whether a value was found.
    fileprivate var hasValue: Bool { found != nil }

    init(name: String, mixture: Kind) {
      self.name = name
      self.mixture = mixture
    }

    package var kind: Kind { found ?? mixture }

    mutating func add(_ kind: Kind) {
      guard let known = found, known != kind else {
        found = kind
        return
      }
      let both: Set = [known, kind]
      found =
        if both.contains(.blob) { .blob } else if !both.isDisjoint(with: [.text, .boolean, .any]) {
          mixture
        } else if both == [.integer, .longInteger] {
          .longInteger
        } else if both == [.integer, .real] { .real } else { .number }
    }
  }

  package private(set) var columns: [Column] = []
  /// Whether no row was found.
  package private(set) var isEmpty = true
  private var places: [FoldedName: Int] = [:]
  private let mixture: Kind
  private let ignored: Set<FoldedName>
  private let isStrict: Bool
  private var firstRefusal: RowRefusal?

  /// Creates columns for JSON, whose values have types.
  ///
  /// - Parameter key: The columns of the key, which hold texts.
  init(key: [String]) {
    mixture = .any
    isStrict = false
    ignored = []
    for name in key { place(name).map { columns[$0].add(.text) } }
  }

  /// Reads a whole file of comma-separated values, whose fields are texts. O(bytes).
  ///
  /// - Parameters:
  ///   - key: The columns of the key. They hold texts unless all values are integers, because 1.1 and 1.10 are two
  ///     keys.
  ///   - isStrict: Whether an unreadable row ends the reading. Otherwise the row is left out.
  /// - Throws: ``SyncError/unreadableSource(path:reason:)``, ``SyncError/malformedSource(path:line:column:reason:)``,
  ///   `CancellationError`.
  package init(
    csv input: FileInput, key: [String], _ format: CSVFormat = CSVFormat(), _ options: FileOptions = FileOptions(),
    isStrict: Bool = false
  ) throws {
    mixture = .text
    self.isStrict = isStrict
    ignored = Set(options.ignoredColumns.map(\.folded)).subtracting(key.map(\.folded))
    do {
      let bytes = try FileBytes(input)
      try bytes.beginText(options.encoding)
      let reader = CSVReader(bytes, options.limits)
      let names = try reader.head(format.delimiter, key: key, nil)
      let places = names.map { place($0) }
      let keyPlaces = Set(key.compactMap { self.places[$0.folded] })
      for (name, _) in format.blobColumns { self.places[name.folded].map { columns[$0].add(.blob) } }
      while let row = try reader.row(of: names.count, isLastNamed: names.last != "") {
        try Task.checkCancellation()
        guard case .row(let fields, _) = row else {
          try note(row)
          continue
        }
        isEmpty = false
        for (place, field) in zip(places, fields) where !field.text.isEmpty {
          guard let place, field.isQuoted || !format.nulls.contains(field.text) else { continue }
          columns[place].add(Self.kind(field: field.text, isKey: keyPlaces.contains(place)))
        }
      }
      try requireSomeRow()
    } catch let refusal as RowRefusal {
      throw refusal.of(input.name).error ?? refusal
    }
    // A delimiter at the end of each row adds no column.
    columns.removeAll { $0.name.isEmpty && !$0.hasValue }
  }

  /// Reads a whole file of JSON objects. O(bytes).
  ///
  /// - Parameter isStrict: Whether an unreadable row ends the reading. Otherwise the row is left out.
  /// - Throws: ``SyncError/unreadableSource(path:reason:)``, ``SyncError/malformedSource(path:line:column:reason:)``,
  ///   `CancellationError`.
  package init(
    json input: FileInput, key: [String] = [], _ options: FileOptions = FileOptions(), isStrict: Bool = false
  ) throws {
    mixture = .any
    self.isStrict = isStrict
    ignored = Set(options.ignoredColumns.map(\.folded)).subtracting(key.map(\.folded))
    do {
      let bytes = try FileBytes(input)
      try bytes.beginText(options.encoding)
      let texts = JSONTexts(bytes, options.limits)
      try texts.readHead()
      while let row = try texts.next()?.members(options.limits) {
        try Task.checkCancellation()
        guard case .row(let members, let line) = row else {
          try note(row)
          continue
        }
        if Set(members.keys.map(\.folded)).count == members.count {
          add(members)
        } else {
          try note(ReadRow<Void>.refused(JSONRows.twoOfOneColumn(line)))
        }
      }
      try requireSomeRow()
    } catch let refusal as RowRefusal {
      throw refusal.of(input.name).error ?? refusal
    }
  }

  /// Skips an unreadable row.
  private mutating func note<Content>(_ row: ReadRow<Content>) throws {
    guard case .refused(let refusal) = row else { return }
    if isStrict { throw refusal }
    firstRefusal = firstRefusal ?? refusal
  }

  /// If no row of a file can be read, the first one gives the reason.
  private func requireSomeRow() throws {
    if isEmpty, let firstRefusal { throw firstRefusal }
  }

  mutating func add(_ members: [String: ForeignValue]) {
    isEmpty = false
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let place = place(name) else { continue }
      if let kind = Self.kind(value) { columns[place].add(kind) }
    }
  }

  /// Creates a table for the columns that were found.
  ///
  /// - Parameter key: The names of the key's columns.
  package func createTable(_ name: String, key: [String], _ db: Database) throws {
    let definitions = columns.map { column in
      [column.name.quotedIdentifier, column.kind.declaredType, key.contains(column.name) ? "NOT NULL" : nil]
        .compactMap { $0 }.joined(separator: " ")
    }
    try db.execute(
      sql: "CREATE TABLE main.\(name.quotedIdentifier) (\(definitions.joined(separator: ", ")), "
        + "PRIMARY KEY (\(key.quotedIdentifiers)))")
  }

  /// Adds the missing columns to a table.
  ///
  /// - Returns: Their names.
  package func addColumns(to table: String, _ db: Database) throws -> [String] {
    let reader = TableReader(table, db)
    let known = try reader.columns()
    let isStrict = try reader.isStrict()
    let missing = columns.filter { known.named($0.name) == nil }
    for column in missing {
      let definition = [column.name.quotedIdentifier, column.kind.declaredType(inStrictTable: isStrict)]
      try db.execute(
        sql:
          "ALTER TABLE main.\(table.quotedIdentifier) ADD COLUMN \(definition.compactMap { $0 }.joined(separator: " "))"
      )
    }
    return missing.map(\.name)
  }

  /// - Returns: Nil for an ignored column.
  private mutating func place(_ name: String) -> Int? {
    if ignored.contains(name.folded) { return nil }
    if let known = places[name.folded] { return known }
    places[name.folded] = columns.count
    columns.append(Column(name: name, mixture: mixture))
    return columns.count - 1
  }

  private static func kind(_ integer: Int64) -> Kind { Double(exactly: integer) == nil ? .longInteger : .integer }

  private static func kind(field text: String, isKey: Bool) -> Kind {
    if text == "true" || text == "false" { return .boolean }
    // 007, -0 and +1 are no numbers: they would change when read back.
    if let integer = Int64(text) { return String(integer) == text ? kind(integer) : .text }
    if isKey { return .text }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard let first = digits.utf8.first, (48...57).contains(first) else { return .text }
    if first == 48, digits.utf8.count > 1, !digits.hasPrefix("0."), !digits.hasPrefix("0e") { return .text }
    // A number that is too long for an integer or a double stays a text.
    if digits.utf8.allSatisfy({ (48...57).contains($0) }) { return .text }
    guard let real = Double(exact: text) else { return .text }
    return Int64(exactly: real) != nil && abs(real) < 0x1p53 ? .integer : .real
  }

  private static func kind(_ value: ForeignValue) -> Kind? {
    switch value {
    case .null: nil
    case .bool: .boolean
    case .integer(let integer): kind(integer)
    case .real(let real): Int64(exactly: real) != nil && abs(real) < 0x1p53 ? .integer : .real
    // No column can hold a number beyond the range of a double, so it gives no information on the others.
    case .number where value.plain.isBeyondNumbers: nil
    case .number, .text, .json: .text
    }
  }
}
