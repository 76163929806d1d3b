import SanderlingTerminal
import Sanderling
import SanderlingSQL

/// The Swift type and coding with which a record reads a column.
struct FoundType: Equatable {
  /// The Swift type without the question mark of an optional.
  var swift: String
  /// The argument of `@Stored(as:)`.
  var coding: String?
  /// The storage type. A column that refers to another column has the storage type of that column.
  var storage: ColumnType
  /// A comment for the reader of the record.
  var note: String?

  init(_ swift: String, _ coding: String? = nil, _ storage: ColumnType, note: String? = nil) {
    self.swift = swift
    self.coding = coding
    self.storage = storage
    self.note = note
  }

  /// Whether both read and store the same values. Comments don't count.
  func isAlike(_ other: FoundType) -> Bool {
    swift == other.swift && coding == other.coding && storage == other.storage
  }

  /// Any stored value.
  static func any(note: String?) -> FoundType { FoundType("StorageValue", nil, .blob, note: note) }
  var isAny: Bool { swift == "StorageValue" }

  /// A key that SQLite assigns.
  static let assignedKey = FoundType("Int64", .integer)

  static let integer = FoundType("Int", .integer)
  static let real = FoundType("Double", .real)
  static let text = FoundType("String", .text)
  static let blob = FoundType("Data", .blob)

  private init(_ swift: String, _ storage: ColumnType) {
    self.init(swift, nil, storage)
  }
}

extension FoundTable.Column {
  private var declared: String { definition.type.uppercased() }
  private var isDeclaredTime: Bool { declared.contains("DATE") || declared.contains("TIME") }

  /// SQLite's affinity of the declared type.
  private var affinity: Affinity { Affinity(declaredType: definition.type, inStrictTable: isInStrictTable) }

  /// Whether a store accepts a record with the type for this column. The affinity has to keep all values of the type.
  /// UUIDs and times are also accepted in a numeric column, since their texts never look like numbers.
  func isKept(_ type: FoundType) -> Bool {
    if affinity.keepsAll(of: type.storage) { return true }
    return type.storage == .text && affinity == .numeric && (type.swift == "UUID" || isDeclaredTime)
  }

  /// Whether the name suggests a time: `createdAt`, `due_date`, `timestamp`.
  private var isNamedTime: Bool {
    let name = definition.name.lowercased()
    return ["at", "date", "time", "timestamp", "created", "updated", "modified", "on"].contains { word in
      name == word || name.hasSuffix("_\(word)")
        || definition.name.hasSuffix(word.capitalizedFirst)
    }
  }

  /// Whether the name suggests a Boolean: `isDone`, `has_children`.
  private var isNamedFlag: Bool {
    ["is", "has", "can", "should", "was"].contains { word in
      definition.name.lowercased().hasPrefix(word + "_")
        || definition.name.hasPrefix(word) && definition.name.dropFirst(word.count).first?.isUppercase == true
    }
  }

  /// The type that reads all values that were found; without values, the type that the declared type suggests.
  ///
  /// Where the declared type decides, a column has the same type with and without values. Nil for values of several
  /// types, for texts that SQLite may convert to numbers, and if neither the values nor the declared type determine it.
  var foundType: FoundType? {
    let type: FoundType? =
      switch values.classes {
      case []: typeWithoutValues
      case ["integer"]: integerType
      case ["real"], ["integer", "real"]: realType
      case ["text"]: textType
      case ["blob"]: blobType
      default: nil
      }
    return type.flatMap { isKept($0) ? $0 : nil }
  }

  private var isOfFlags: Bool { declared.contains("BOOL") || isNamedFlag && affinity == .integer }
  private var isOfNumbers: Bool { affinity == .numeric && Affinity.isOfNumbers(declaredType: declared) }

  private var typeWithoutValues: FoundType? {
    if isOfFlags { return FoundType("Bool", nil, .integer) }
    if isDeclaredTime, affinity == .numeric || affinity == .text {
      return FoundType(
        "Date", ".dateText", .text, note: "no values show the form of the dates: this is the form that GRDB writes")
    }
    switch affinity {
    case .integer: return .integer
    case .text: return .text
    case .blob: return declared.isEmpty || declared == "ANY" ? nil : .blob
    case .real: return .real
    // A column that is declared UUID, STRING or JSON holds texts or blobs.
    case .numeric: return isOfNumbers ? .real : nil
    }
  }

  private var integerType: FoundType {
    guard let range = values.integers else { return .integer }
    if isOfFlags || isNamedFlag, range.lowerBound >= 0, range.upperBound <= 1 {
      return FoundType("Bool", nil, .integer)
    }
    if isDeclaredTime || isNamedTime, affinity != .text {
      // September 2001 to October 2096. A declared type of times also allows smaller and larger numbers of seconds.
      let (seconds, milliseconds) = (
        1_000_000_000...4_000_000_000 as ClosedRange<Int64>, 1_000_000_000_000...4_000_000_000_000 as ClosedRange<Int64>
      )
      if seconds.contains(range) || isDeclaredTime && range.upperBound < 100_000_000_000 {
        if isInStrictTable, affinity == .integer {
          return FoundType(
            "Int", nil, .integer, note: "taken for seconds since 1970; the STRICT table accepts only whole seconds")
        }
        return FoundType("Date", ".unixSeconds", .real, note: "taken for seconds since 1970")
      }
      if milliseconds.contains(range) {
        return FoundType("Date", ".unixMilliseconds", .integer, note: "taken for milliseconds since 1970")
      }
    }
    // A real holds these integers exactly.
    let isOfReals = affinity == .real || isOfNumbers && !declared.contains("BOOL")
    return isOfReals && (-1 << 53...1 << 53).contains(range) ? .real : .integer
  }

  private var realType: FoundType {
    guard let range = values.reals, isDeclaredTime || isNamedTime else { return .real }
    if (1_200_000_000...4_000_000_000).contains(range) {
      return FoundType("Date", ".unixSeconds", .real, note: "taken for seconds since 1970")
    }
    if isDeclaredTime || isNamedTime, (0...1_200_000_000).contains(range), values.integers == nil,
      range.upperBound > 100_000_000
    {
      return FoundType("Date", nil, .real, note: "taken for seconds since 2001")
    }
    return .real
  }

  private var textType: FoundType {
    let forms = values.forms
    // A UUID of digits only is both upper and lower case.
    if forms.contains(.upperUUID) && !forms.contains(.lowerUUID) { return FoundType("UUID", ".uuidText", .text) }
    if forms.contains(.lowerUUID) { return FoundType("UUID", ".lowercaseUUIDText", .text) }
    if forms.contains(.dateText) { return FoundType("Date", ".dateText", .text) }
    if forms.contains(.iso8601) { return FoundType("Date", ".iso8601", .text) }
    if forms.contains(.jsonTexts) { return FoundType("[String]", ".json", .text) }
    if forms.contains(.jsonNumbers) { return FoundType("[Double]", ".json", .text) }
    if forms.contains(.jsonDictionary) { return FoundType("[String: String]", ".json", .text) }
    if forms.contains(.json) {
      return FoundType(
        "String", nil, .text, note: "holds JSON: a Codable type of your own reads it with @Stored(as: .json)")
    }
    return .text
  }

  private var blobType: FoundType {
    let isIdentifier =
      declared.contains("UUID") || definition.name.lowercased().hasSuffix("id") || definition.keyPosition > 0
    return values.forms.contains(isIdentifier ? .uuidBlob : .randomUUIDBlob) ? FoundType("UUID", nil, .blob) : .blob
  }
}

extension ClosedRange {
  fileprivate func contains(_ other: ClosedRange) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
