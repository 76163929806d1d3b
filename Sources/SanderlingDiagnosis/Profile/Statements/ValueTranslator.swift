import Foundation

/// Finds the value of a generated database for each value of the original: the value at the same place of its column.
struct ValueTranslator {
  let dictionaries: [ColumnKey: ColumnDictionary]
  let domains: ColumnDomains
  /// The words that statements search for in a column's texts, in order.
  let words: [ColumnKey: [String]]
  let makers: [ValueMaker]
  /// Whether a word is a name of the schema.
  let isName: @Sendable (String) -> Bool
  let connection: SQLiteConnection

  init(
    dictionaries: [ColumnKey: ColumnDictionary], domains: ColumnDomains, words: [ColumnKey: [String]],
    names: SQLNames, on connection: SQLiteConnection
  ) {
    isName = names.contains
    (self.dictionaries, self.domains, self.words, self.connection) = (dictionaries, domains, words, connection)
    makers = domains.domains.map { ValueMaker($0.profiled.parts) }
  }

  /// Returns the replacement of a use's value. If the column is unknown, the replacement only has the same form.
  func value(_ value: BoundValue, of use: ComparedValue) throws -> BoundValue {
    if value == .null { return .null }
    switch use.operation {
    case .equal, .bound:
      return try use.around.map { try self.value(value, of: use, around: $0) } ?? plain(value, use.column)
    case .pattern(let isGlob, let before, let after):
      return try pattern(value, use, isGlob: isGlob, before: before, after: after)
    case .search: return .text(search(value.text ?? "", use))
    case .list: return try list(value, use)
    }
  }

  /// Returns the value at the same place of a column.
  func plain(_ value: BoundValue, _ key: ColumnKey) throws -> BoundValue {
    guard let number = domains.numbers[key], let found = try domains.place(of: value, in: key) else {
      return value.neutral
    }
    let maker = makers[number]
    let other = found.isThere ? maker.value(at: found.place) : maker.value(below: found.place)
    return other.asWritten(like: value)
  }

  // MARK: Expressions

  /// Translates a value that is compared with an expression of a column. A column value that gives the expression this
  /// value is translated, and the expression is computed for the translation.
  private func value(_ value: BoundValue, of use: ComparedValue, around: String) throws -> BoundValue {
    guard let dictionary = dictionaries[use.column] else { return value.neutral }
    let expression = around.replacing("?1", with: "value")
    let condition = use.operation == .equal ? "= ?1" : ">= ?1"
    let order = use.operation == .equal ? "" : " ORDER BY \(expression)"
    let found = try? connection.value(
      "SELECT value FROM \(dictionary.name) WHERE \(expression) \(condition)\(order) LIMIT 1", [value])
    let last = try dictionary.value(at: dictionary.distinct - 1)
    guard let witness = (found ?? nil) ?? (use.operation == .bound ? last : nil) else { return value.neutral }
    let other = try plain(witness, use.column)
    let computed = try? connection.value("SELECT \(around)", [other])
    return ((computed ?? nil) ?? value.neutral).asWritten(like: value)
  }

  // MARK: Patterns

  private func pattern(
    _ value: BoundValue, _ use: ComparedValue, isGlob: Bool, before: Bool, after: Bool
  ) throws -> BoundValue {
    guard let text = value.text else { return value.neutral }
    let pattern = SearchPattern(text, isGlob: isGlob, before: before, after: after)
    let wildcard = isGlob ? "*" : "%"
    switch pattern.kind {
    case .exact: return try plain(value, use.column)
    case .beginning(let beginning):
      let other = try self.beginning(beginning, use.column, isGlob: isGlob) ?? "~"
      return .text(other + (after ? "" : wildcard))
    case .word(let word):
      let number = words[use.column]?.firstIndex(of: word)
      let other = number.map(PartMaker.word) ?? "qz~"
      return .text((before ? "" : wildcard) + other + (after ? "" : wildcard))
    }
  }

  private func beginning(_ beginning: String, _ key: ColumnKey, isGlob: Bool) throws -> String? {
    guard let number = domains.numbers[key], let places = try domains.places(beginning, in: key, isGlob: isGlob) else {
      return nil
    }
    return makers[number].beginning(at: places.lowerBound)
  }

  /// Returns the full-text query with replaced words.
  private func search(_ text: String, _ use: ComparedValue) -> String {
    var result = ""
    for piece in SearchWords(text, isColumn: isName).pieces {
      switch piece {
      case .other(let text): result += text
      case .word(let word):
        let number = words[use.column]?.firstIndex(of: word)
        result += number.map(PartMaker.word) ?? "qzq"
      }
    }
    return result
  }

  private func list(_ value: BoundValue, _ use: ComparedValue) throws -> BoundValue {
    guard let text = value.text, let items = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any] else {
      return value.neutral
    }
    let others = try items.map { item -> Any in
      let value: BoundValue =
        if let text = item as? String {
          .text(text)
        } else if let number = item as? NSNumber {
          Int64(exactly: number.doubleValue).map { .integer($0) } ?? .real(number.doubleValue)
        } else { .null }
      switch try plain(value, use.column) {
      case .integer(let other): return NSNumber(value: other)
      case .real(let other): return NSNumber(value: other)
      case .text(let other): return other
      default: return NSNull()
      }
    }
    return .text(String(decoding: try JSONSerialization.data(withJSONObject: others), as: UTF8.self))
  }
}

extension BoundValue {
  /// A value of the same storage class that reveals only the size of this one.
  var neutral: BoundValue {
    switch self {
    case .null: return .null
    case .integer(let value):
      if value == 0 || value == 1 { return self }
      let power = Int64(1) << min(61, Int64.bitWidth - value.magnitude.leadingZeroBitCount - 1)
      return .integer(value < 0 ? -power : power)
    case .real(let value):
      if value == 0 || value == 1 || !value.isFinite { return .real(value.isFinite ? value : 0) }
      return .real(value.sign == .minus ? -value.binade.magnitude : value.binade)
    case .text(let text):
      if text.isEmpty { return self }
      var bytes = Array("x".utf8)
      PartMaker.fill(&bytes, to: ValueShapes.rounded(text.utf8.count), UInt64(ValueShapes.rounded(text.utf8.count)))
      return .text(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): return .blob([UInt8](repeating: 0, count: ValueShapes.rounded(bytes.count)))
    }
  }

  /// Returns the value in the storage class in which the statement wrote the original: a number written as a text is
  /// part of the problem.
  func asWritten(like original: BoundValue) -> BoundValue {
    switch (self, original) {
    case (.integer(let value), .text): .text(String(value))
    case (.real(let value), .text): .text("\(value)")
    case (.text(let text), .integer): Int64(text).map { .integer($0) } ?? self
    // A number beyond the range of integers stays unchanged.
    case (.real(let value), .integer): Int64(exactly: value.rounded(.down)).map { .integer($0) } ?? self
    default: self
    }
  }

  /// The value as an SQL literal, at full length.
  var sqlText: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): value.isFinite ? "\(value)" : value > 0 ? "9e999" : "-9e999"
    case .text(let text): text.quotedLiteral
    case .blob(let bytes): "x'\(bytes.hexadecimalText)'"
    }
  }
}
