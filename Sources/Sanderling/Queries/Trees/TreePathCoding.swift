import Foundation

/// The coding of the keys on the path to a row as one text. `/` separates keys, and `,` separates the columns of a key.
///
/// Integers are written as in SQL, reals as SQLite's `quote()` writes them, and blobs as hexadecimal digits. In texts,
/// `~0`, `~1` and `~2` replace `~`, `,` and `/`.
enum TreePathCoding<Record: StoredRecord>: ColumnCoding {
  static var columnType: ColumnType { .text }

  static func encode(_ path: [Record.Key]) throws -> StorageValue {
    let width = Record.table.key.count
    let keys = try path.map { key in
      let values = try ParameterBinder.collecting(width) { try Record._bind(key: key, to: $0, from: 1) }
      return try values.map { try $0.textInPath }.joined(separator: ",")
    }
    return .text(keys.joined(separator: "/"))
  }

  static func decode(_ stored: StorageValue) throws -> [Record.Key] {
    guard case .text(let text) = stored else {
      throw ValueError("the path holds a key that is NULL")
    }
    return try text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(key)
  }

  /// Reads one key of a path.
  static func key(_ bytes: Substring.UTF8View) throws -> Record.Key {
    let table = Record.table
    let parts = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count == table.key.count else { throw ValueError("the path holds no key of \(Record.self)") }
    var values = [StorageValue](repeating: .null, count: table.columns.count)
    for (index, part) in zip(table.key, parts) {
      guard let value = table.columns[index].type.valueInPath(part) else {
        throw ValueError("the path holds a key of another type than \(table.columns[index].type)")
      }
      values[index] = value
    }
    return try Record._key(_values: _StorageValues(values, table: table))
  }
}

/// A reader of the paths of successive rows. Rows of a tree follow their parents, so that their paths share keys.
public struct _TreePaths<Record: StoredRecord> {
  /// The last path that was read.
  private var text = ""
  private var keys: [Record.Key] = []

  @usableFromInline
  init() {}

  /// Reads a row's path.
  ///
  /// - Parameter key: The row's own key.
  @usableFromInline
  mutating func read(_ row: ResultRow, at index: Int32, endingWith key: Record.Key) throws -> [Record.Key] {
    let value = row.storageValue(at: index)
    if case .text(let text) = value, let end = text.utf8.lastIndex(of: UInt8(ascii: "/")),
      let count = sharedCount(with: text.utf8[..<end])
    {
      keys.removeLast(keys.count - count)
      keys.append(key)
    } else {
      do {
        keys = try TreePathCoding<Record>.decode(value)
      } catch {
        throw row.locating(error, at: index)
      }
    }
    if case .text(let text) = value { self.text = text }
    return keys
  }

  /// The number of keys in a parent's path, if the last path begins with it; otherwise nil.
  private func sharedCount(with parent: Substring.UTF8View) -> Int? {
    guard let rest = text.utf8.suffix(after: parent) else { return nil }
    return keys.count - rest.count { $0 == UInt8(ascii: "/") }
  }
}

extension String.UTF8View {
  /// The rest of the path after the bytes of some keys; nil if the path doesn't begin with them.
  fileprivate func suffix(after keys: Substring.UTF8View) -> Substring.UTF8View? {
    guard let end = index(startIndex, offsetBy: keys.count, limitedBy: endIndex), self[..<end].elementsEqual(keys)
    else {
      return nil
    }
    return end == endIndex || self[end] == UInt8(ascii: "/") ? self[end...] : nil
  }
}

extension StorageValue {
  /// A key's column as a path contains it.
  fileprivate var textInPath: String {
    get throws {
      switch self {
      case .null: throw ValueError("the path holds a key that is NULL")
      case .integer: literal
      // The digits depend on SQLite's version. A column contains no negative zero.
      case .real(let real): try SQLiteConversions.quoted(real + 0.0)
      case .text(let text): text.escapedInPath
      case .blob(let blob): String(blob.hexLiteral.dropFirst(2).dropLast())
      }
    }
  }
}

extension ColumnType {
  /// The SQL for a key's column as a path contains it.
  ///
  /// - Parameter column: The column in SQL.
  func sqlInPath(_ column: String) -> String {
    switch self {
    // The path is a text even if it is a single key.
    case .integer: "CAST(\(column) AS TEXT)"
    case .real: "quote(\(column))"
    case .text: "replace(replace(replace(\(column), '~', '~0'), ',', '~1'), '/', '~2')"
    case .blob: "hex(\(column))"
    }
  }

  /// The value of a key's column from its text in a path; nil if the text is no value of this type.
  fileprivate func valueInPath(_ bytes: Substring.UTF8View) -> StorageValue? {
    let text = Substring(bytes)
    switch self {
    case .integer: return Int64(text).map { .integer($0) }
    case .real: return Double(text).map { .real($0) }
    case .text: return .text(bytes.unescapedInPath)
    case .blob: return bytes.decodedHexadecimal.map { .blob(Data($0)) }
    }
  }
}

// Escapes replace scalars, as in SQLite: a Swift character may begin with an escaped scalar.
extension String {
  /// The scalars that a path escapes, in the order of their numbers.
  fileprivate static let escapedInPath: [Unicode.Scalar] = ["~", ",", "/"]

  fileprivate var escapedInPath: String {
    var text = ""
    for scalar in unicodeScalars {
      if let number = Self.escapedInPath.firstIndex(of: scalar) {
        text += "~\(number)"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Substring.UTF8View {
  fileprivate var unescapedInPath: String {
    guard contains(UInt8(ascii: "~")) else { return String(Substring(self)) }
    var text = ""
    var scalars = Substring(self).unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "~" else {
        text.unicodeScalars.append(scalar)
        continue
      }
      // In a path from SQL, a digit follows each `~`.
      guard let digit = scalars.next() else { break }
      let number = Int(digit.value) - 48
      if String.escapedInPath.indices.contains(number) { text.unicodeScalars.append(String.escapedInPath[number]) }
    }
    return text
  }
}
