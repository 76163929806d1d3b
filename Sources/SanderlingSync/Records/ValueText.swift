import Foundation
import Sanderling

/// Stored values as JSON, exactly: what tables of logs hold, for every tool to read.
///
/// Integers, texts and NULL are JSON's own. A real is `{"real": "1.5"}`, a blob `{"blob": "00FF"}`.
struct ValueText {
  /// The values of a key, as an array.
  static func key(_ values: [StorageValue]) -> String { text(values.map(json)) }

  /// Values by the names of their columns, as an object.
  static func row(_ row: [String: StorageValue]) -> String { text(row.mapValues(json)) }

  static func names(_ names: [String]) -> String { text(names) }

  static func key(from text: String) -> [StorageValue]? {
    (object(text) as? [Any]).flatMap { values in
      let decoded = values.compactMap(value)
      return decoded.count == values.count ? decoded : nil
    }
  }

  static func row(from text: String) -> [String: StorageValue]? {
    (object(text) as? [String: Any]).flatMap { values in
      let decoded = values.compactMapValues(value)
      return decoded.count == values.count ? decoded : nil
    }
  }

  static func names(from text: String) -> [String]? { object(text) as? [String] }

  private static func text(_ value: Any) -> String {
    guard
      let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
    else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  private static func object(_ text: String) -> Any? { try? JSONSerialization.jsonObject(with: Data(text.utf8)) }

  private static func json(_ value: StorageValue) -> Any {
    switch value {
    case .null: NSNull()
    case .integer(let integer): NSNumber(value: integer)
    case .real(let real): ["real": real.bitPattern == (-0.0).bitPattern ? "-0.0" : String(real)]
    case .text(let text): text
    case .blob(let data): ["blob": data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()]
    }
  }

  private static func value(_ json: Any) -> StorageValue? {
    switch json {
    case is NSNull: return .null
    case let text as String: return .text(text)
    case let number as NSNumber: return .integer(number.int64Value)
    case let object as [String: String]:
      if let real = object["real"] { return Double(real).flatMap { $0.isNaN ? nil : .real($0) } }
      guard let hex = object["blob"]?.utf8, hex.count.isMultiple(of: 2) else { return nil }
      let digits = hex.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
      guard digits.count == hex.count else { return nil }
      return .blob(Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }))
    default: return nil
    }
  }
}
