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

    var declaredType: String {
      switch self {
      case .boolean: "BOOLEAN"
      case .integer, .longInteger: "INTEGER"
      case .real: "REAL"
      case .number: "NUMERIC"
      case .text: "TEXT"
      }
    }
  }

  package struct Column: Sendable {
    package let name: String
    /// nil where there is no value.
    private var found: Kind?

    init(name: String) { self.name = name }

    package var kind: Kind { found ?? .text }

    mutating func add(_ kind: Kind) {
      guard let known = found, known != kind else {
        found = kind
        return
      }
      let both: Set = [known, kind]
      found =
        if both.contains(.text) || both.contains(.boolean) { .text } else if both == [.integer, .longInteger] {
          .longInteger
        } else if both == [.integer, .real] { .real } else { .number }
    }
  }

  package private(set) var columns: [Column] = []
  private var places: [String: Int] = [:]

  /// - Parameter key: Columns of texts.
  init(key: [String]) {
    for name in key { columns[place(name)].add(.text) }
  }

  /// Reads a whole file of comma-separated values. O(bytes).
  package init(csv path: String) throws {
    let reader = try CSVReader(path: path)
    try reader.skipByteOrderMark()
    for field in try reader.row() ?? [] { _ = place(field.text) }
    while let fields = try reader.row() {
      for (place, field) in zip(columns.indices, fields) where !field.text.isEmpty {
        columns[place].add(Self.kind(field: field.text))
      }
    }
  }

  /// Reads a whole file of JSON lines. O(bytes).
  package init(jsonLines path: String) throws {
    let input = FileInput(place: .path(path))
    let lines = JSONLines(try FileBytes(input), input.name, nil, FileLimits())
    while let members = try lines.members() { add(members) }
  }

  mutating func add(_ members: [String: ForeignValue]) {
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
      "\(column.name.quotedIdentifier) \(column.kind.declaredType)\(key.contains(column.name) ? " NOT NULL" : "")"
    }
    try db.execute(
      sql: "CREATE TABLE main.\(name.quotedIdentifier) (\(definitions.joined(separator: ", ")), "
        + "PRIMARY KEY (\(key.quotedIdentifiers)))")
  }

  private mutating func place(_ name: String) -> Int {
    if let known = places[name] { return known }
    places[name] = columns.count
    columns.append(Column(name: name))
    return columns.count - 1
  }

  private static func kind(_ integer: Int64) -> Kind { Double(exactly: integer) == nil ? .longInteger : .integer }

  private static func kind(field text: String) -> Kind {
    if text == "true" || text == "false" { return .boolean }
    // 007 and +1 are no numbers: they would come back otherwise.
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard let first = digits.utf8.first, (48...57).contains(first) else { return .text }
    if first == 48, digits.utf8.count > 1, !digits.hasPrefix("0."), !digits.hasPrefix("0e") { return .text }
    if let integer = Int64(text) { return kind(integer) }
    guard text.utf8.allSatisfy({ (43...57).contains($0) || $0 == 69 || $0 == 101 }), let real = Double(text) else {
      return .text
    }
    return Int64(exactly: real) != nil && abs(real) < 0x1p53 ? .integer : .real
  }

  private static func kind(_ value: ForeignValue) -> Kind? {
    switch value {
    case .null: nil
    case .bool: .boolean
    case .integer(let integer): kind(integer)
    case .real(let real): Int64(exactly: real) != nil && abs(real) < 0x1p53 ? .integer : .real
    case .number, .text, .json: .text
    }
  }
}
