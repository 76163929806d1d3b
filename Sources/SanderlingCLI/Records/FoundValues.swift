import Foundation
import GRDB
import Sanderling

/// The common properties of a column's values.
struct FoundValues {
  /// The storage classes, without NULL.
  private(set) var classes: Set<String> = []
  private(set) var count = 0
  private(set) var hasNull = false
  private(set) var integers: ClosedRange<Int64>?
  private(set) var reals: ClosedRange<Double>?
  /// The forms that all values so far have. Each value can remove some.
  private(set) var forms = Set(Form.allCases)

  /// A form of value, more specific than its storage class.
  enum Form: CaseIterable {
    case upperUUID, lowerUUID, dateText, iso8601, jsonTexts, jsonNumbers, jsonDictionary, json, uuidBlob, randomUUIDBlob

    fileprivate func includes(_ value: DatabaseValue.Storage) -> Bool {
      switch (self, value) {
      case (.upperUUID, .string(let text)): UUID(uuidString: text) != nil && text == text.uppercased()
      case (.lowerUUID, .string(let text)): UUID(uuidString: text) != nil && text == text.lowercased()
      case (.dateText, .string(let text)): Self.isDate(text, DateTextCoding.self, " ")
      case (.iso8601, .string(let text)): Self.isDate(text, ISO8601Coding.self, "T")
      case (.jsonTexts, .string(let text)): text.hasPrefix("[") && Self.decodes(text, [String].self)
      case (.jsonNumbers, .string(let text)): text.hasPrefix("[") && Self.decodes(text, [Double].self)
      case (.jsonDictionary, .string(let text)): text.hasPrefix("{") && Self.decodes(text, [String: String].self)
      case (.json, .string(let text)):
        (text.hasPrefix("[") || text.hasPrefix("{"))
          && (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
      case (.uuidBlob, .blob(let data)): data.count == 16
      // Checks the UUID's version and variant bits, which 16 other bytes rarely have.
      case (.randomUUIDBlob, .blob(let data)):
        data.count == 16 && (1...8).contains(data[data.startIndex + 6] >> 4) && data[data.startIndex + 8] >> 6 == 2
      default: false
      }
    }

    private static func isDate(_ text: String, _ coding: any ColumnCoding<Date>.Type, _ separator: Character) -> Bool {
      text.count > 10 && text.dropFirst(10).first == separator && (try? coding.decode(.text(text))) != nil
    }

    private static func decodes<Value: Decodable>(_ text: String, _ type: Value.Type) -> Bool {
      (try? JSONDecoder().decode(type, from: Data(text.utf8))) != nil
    }
  }

  mutating func add(_ value: DatabaseValue) {
    switch value.storage {
    case .null:
      hasNull = true
      return
    case .int64(let integer):
      classes.insert("integer")
      integers = integers.map { min($0.lowerBound, integer)...max($0.upperBound, integer) } ?? integer...integer
    case .double(let real):
      classes.insert("real")
      reals = reals.map { min($0.lowerBound, real)...max($0.upperBound, real) } ?? real...real
    case .string: classes.insert("text")
    case .blob: classes.insert("blob")
    }
    count += 1
    forms = forms.filter { $0.includes(value.storage) }
  }
}
