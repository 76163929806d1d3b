import Sanderling

/// Values of columns that a record doesn't have. They are kept beside its row until it has them.
///
/// A text from a file that knows only texts is `{"field":"30"}`: unlike a JSON text, it may represent a number.
struct KeptValues {
  enum Value: Hashable {
    case stored(StorageValue)
    case field(String)
  }

  private(set) var values: [String: Value] = [:]

  var isEmpty: Bool { values.isEmpty }

  init() {}

  init(json: String) throws {
    var reader = JSONReader(json)
    values = try reader.object().mapValues { value in
      if case .json(let text) = value {
        var reader = JSONReader(text)
        if case .text(let field)? = try reader.object()["field"] { return .field(field) }
      }
      return .stored(try StoredJSON.value(value))
    }
  }

  /// Sorted, so that equal values are equal texts.
  var json: String {
    let members = values.sorted { $0.key < $1.key }.map { name, value in
      let text =
        switch value {
        case .stored(let value): StoredJSON.text(value)
        case .field(let text): "{\"field\":\(StoredJSON.text(.text(text)))}"
        }
      return "\(StoredJSON.text(.text(name))):\(text)"
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// - Parameter areFields: Whether their texts are fields of a file that knows only texts.
  mutating func merge(_ new: [String: StorageValue], areFields: Bool) {
    for (name, value) in new {
      if areFields, case .text(let text) = value { values[name] = .field(text) } else { values[name] = .stored(value) }
    }
  }

  mutating func remove(_ names: some Sequence<String>) { for name in names { values[name] = nil } }
}

extension KeptValues.Value {
  /// The value as its column stores it, now that the column exists; a value that the column refuses if it has no such
  /// value.
  func value(in column: RecordColumn) -> StorageValue {
    switch self {
    case .field(let text): return column.value(ofKeptField: text)
    case .stored(let value):
      if column.misfit(value) == nil { return value }
      let converted = column.stored(ForeignValue(value))
      guard column.misfit(converted) != nil, case .text(let text) = value else { return converted }
      // Earlier versions stored fields as texts. Such a text is a number if it equals the number's spelling.
      let field = column.stored(field: text)
      return column.misfit(field) == nil && ForeignValue(field).word == text ? field : converted
    }
  }
}
