import Foundation
import GRDB
import Sanderling

/// The columns of a file or of a server's rows, and what their values are, for a table that isn't there yet.
package struct FoundColumns: Sendable {
  /// What all values of a column are.
  package enum Kind: Sendable {
    case boolean, integer
    /// Integers that no real equals.
    case longInteger
    case real
    /// Reals, and integers that no real equals.
    case number
    case text
    /// Values of several types, each of which is to stay what it is.
    case any

    var declaredType: String? {
      switch self {
      case .boolean: "BOOLEAN"
      case .integer, .longInteger: "INTEGER"
      case .real: "REAL"
      case .number: "NUMERIC"
      case .text: "TEXT"
      case .any: nil
      }
    }
  }

  package struct Column: Sendable {
    package let name: String
    /// What values of several types are together.
    private let mixture: Kind
    /// nil where there is no value.
    private var found: Kind?

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
        if !both.isDisjoint(with: [.text, .boolean, .any]) { mixture } else if both == [.integer, .longInteger] {
          .longInteger
        } else if both == [.integer, .real] { .real } else { .number }
    }
  }

  package private(set) var columns: [Column] = []
  /// Whether there was no row.
  package private(set) var isEmpty = true
  private var places: [FoldedName: Int] = [:]
  private let mixture: Kind

  /// Of JSON, whose values have types.
  ///
  /// - Parameter key: Columns of texts.
  init(key: [String]) {
    mixture = .any
    for name in key { columns[place(name)].add(.text) }
  }

  /// Reads a whole file of comma-separated values, whose fields are texts. O(bytes).
  ///
  /// - Parameter key: Its columns, which are of texts where not all are integers: 1.1 and 1.10 are two keys.
  /// - Throws: ``SyncError/unreadableSource(path:reason:)``, ``SyncError/malformedSource(path:line:column:reason:)``.
  package init(csv input: FileInput, key: [String]) throws {
    mixture = .text
    let reader = CSVReader(try FileBytes(input), input.name, FileLimits())
    for name in try reader.head() { _ = place(name) }
    let keyPlaces = Set(key.compactMap { places[$0.folded] })
    while let fields = try reader.row(of: columns.count) {
      isEmpty = false
      for (place, field) in zip(columns.indices, fields) where !field.text.isEmpty {
        columns[place].add(Self.kind(field: field.text, isKey: keyPlaces.contains(place)))
      }
    }
  }

  /// Reads a whole file of JSON lines. O(bytes).
  ///
  /// - Throws: ``SyncError/unreadableSource(path:reason:)``, ``SyncError/malformedSource(path:line:column:reason:)``.
  package init(jsonLines input: FileInput) throws {
    mixture = .any
    let lines = JSONLines(try FileBytes(input), input.name, nil, FileLimits())
    try lines.readHead()
    while let (line, members) = try lines.members() {
      guard Set(members.keys.map(\.folded)).count == members.count else { throw lines.twoOfOneColumn(line) }
      add(members)
    }
  }

  mutating func add(_ members: [String: ForeignValue]) {
    isEmpty = false
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      let place = place(name)
      if let kind = Self.kind(value) { columns[place].add(kind) }
    }
  }

  /// Makes a table for what was found.
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

  private mutating func place(_ name: String) -> Int {
    if let known = places[name.folded] { return known }
    places[name.folded] = columns.count
    columns.append(Column(name: name, mixture: mixture))
    return columns.count - 1
  }

  private static func kind(_ integer: Int64) -> Kind { Double(exactly: integer) == nil ? .longInteger : .integer }

  private static func kind(field text: String, isKey: Bool) -> Kind {
    if text == "true" || text == "false" { return .boolean }
    // 007, -0 and +1 are no numbers: they would come back otherwise.
    if let integer = Int64(text) { return String(integer) == text ? kind(integer) : .text }
    if isKey { return .text }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard let first = digits.utf8.first, (48...57).contains(first) else { return .text }
    if first == 48, digits.utf8.count > 1, !digits.hasPrefix("0."), !digits.hasPrefix("0e") { return .text }
    // What is too long for an integer or a double stays as it is.
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
    // No column takes a number beyond the range of a double, so that it says nothing of the others.
    case .number where value.plain.isBeyondNumbers: nil
    case .number, .text, .json: .text
    }
  }
}
