import Foundation

extension SQLCompiler {
  /// The greatest number of members that are bound one by one. A larger set is bound as one parameter, because SQLite
  /// limits the number of parameters. Parsing a long list also costs more than unpacking it.
  static let maximumListCount = 512

  /// Writes `IN (…)`.
  mutating func write(_ members: Members) {
    if members.values.count <= Self.maximumListCount {
      writeList(members.values)
    } else {
      write(" IN (")
      writeTable(of: members)
      write(")")
    }
  }

  /// Writes a SELECT of one column that returns the members.
  mutating func writeTable(of members: Members) {
    let values = members.values
    if let json = values.jsonArray {
      // The plus sign removes the affinity of `value`, so that the members are compared as texts if the column is a
      // text.
      write("SELECT +\"value\" FROM json_each(")
      writeParameter(.text(json))
      write(")")
    } else if let (bytes, width) = values.concatenatedBlobs {
      // An array of zeros numbers the pieces. A recursive query would take twice as long in all.
      write("SELECT substr(")
      writeParameter(.blob(bytes))
      write(", \"key\" * \(width) + 1, \(width)) FROM json_each(")
      writeParameter(.text("[" + String(repeating: "0,", count: values.count - 1) + "0]"))
      write(")")
    } else {
      write("VALUES ")
      writeList(values) { compiler, value in
        compiler.write("(")
        compiler.writeParameter(value)
        compiler.write(")")
      }
    }
  }

  /// Writes a list, filled up to a power of two with its last value. So sets of similar size share a statement.
  private mutating func writeList(_ values: [StorageValue]) {
    var padded = values
    if let last = values.last, values.count <= Self.maximumListCount {
      while padded.count & (padded.count - 1) != 0 { padded.append(last) }
    }
    write(" IN (")
    writeList(padded) { $0.writeParameter($1) }
    write(")")
  }
}

extension [StorageValue] {
  /// The values as a JSON array, which SQLite reads back as the same integers and texts; nil if there are other values.
  fileprivate var jsonArray: String? {
    var json = "["
    for value in self {
      if json.utf8.count > 1 { json += "," }
      switch value {
      case .integer(let integer): json += String(integer)
      case .text(let text) where !text.utf8.contains(0): json.append(jsonString: text)
      default: return nil
      }
    }
    return json + "]"
  }

  /// All blobs concatenated; nil if their lengths differ, or if there are other values.
  fileprivate var concatenatedBlobs: (Data, width: Int)? {
    guard case .blob(let first) = self.first, !first.isEmpty else { return nil }
    var bytes = Data(capacity: count * first.count)
    for value in self {
      guard case .blob(let blob) = value, blob.count == first.count else { return nil }
      bytes.append(blob)
    }
    return (bytes, first.count)
  }
}

extension String {
  fileprivate mutating func append(jsonString text: String) {
    append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": append("\\\"")
      case "\\": append("\\\\")
      case "\u{0}"..<"\u{20}":
        let hex = String(scalar.value, radix: 16)
        append("\\u" + String(repeating: "0", count: 4 - hex.count) + hex)
      default: unicodeScalars.append(scalar)
      }
    }
    append("\"")
  }

  /// The least text that is greater, as bytes, than every text with this prefix; nil if there is none.
  package var prefixSuccessor: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // UTF-8 sorts like code points. U+D800 to U+DFFF are no scalars.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let successor = Unicode.Scalar(next) {
        scalars.append(successor)
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
      }
    }
    return nil
  }
}

extension StorageValue {
  /// The value as an SQL literal.
  package var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(Int64.min): "(-9223372036854775807 - 1)"
    case .integer(let integer): String(integer)
    case .real(let real) where real.isInfinite: real < 0 ? "-9e999" : "9e999"
    case .real(let real): String(real)
    case .text(let text): text.quotedLiteral
    case .blob(let data): data.hexLiteral
    }
  }
}
