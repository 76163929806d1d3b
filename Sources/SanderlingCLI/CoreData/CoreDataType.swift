import Sanderling
import SanderlingSQL

/// The type of an attribute in Core Data, and the Swift type that reads its column.
enum CoreDataType: Int {
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case binary = 1000
  case uuid = 1100
  case uri = 1200
  case transformable = 1800
  case codable = 2200

  /// - Returns: Nil for a type that has no column, or whose column isn't known: a composite of others, an object id, no
  ///   type.
  init?(_ attribute: CoreDataModel.Attribute) {
    self.init(rawValue: attribute.type)
  }

  /// The affinity of the type that Core Data declares for the column.
  var affinity: Affinity {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: .integer
    case .double, .float: .real
    case .decimal, .date: .numeric
    case .string, .uri: .text
    case .binary, .uuid, .transformable, .codable: .blob
    }
  }

  var found: FoundType {
    switch self {
    case .integer16: FoundType("Int16", nil, .integer)
    case .integer32: FoundType("Int32", nil, .integer)
    case .integer64: FoundType("Int64", nil, .integer)
    case .decimal: FoundType("Decimal", ".decimalNumber", .real)
    case .double: .real
    // A Float doesn't read every stored number.
    case .float: FoundType("Double", nil, .real, note: "a Float in the model")
    case .string: .text
    case .boolean: FoundType("Bool", nil, .integer)
    case .date: FoundType("Date", nil, .real)
    case .binary, .transformable, .codable: .blob
    case .uuid: FoundType("UUID", nil, .blob)
    case .uri: FoundType("URL", nil, .text)
    }
  }

  /// The condition in SQL that the type reads a value that isn't NULL.
  func reads(_ column: String) -> String {
    switch self {
    case .integer16: "typeof(\(column)) = 'integer' AND \(column) BETWEEN -32768 AND 32767"
    case .integer32: "typeof(\(column)) = 'integer' AND \(column) BETWEEN -2147483648 AND 2147483647"
    case .integer64: "typeof(\(column)) = 'integer'"
    case .boolean: "typeof(\(column)) = 'integer' AND \(column) IN (0, 1)"
    case .decimal, .double, .float, .date: "typeof(\(column)) IN ('integer', 'real')"
    case .string: "typeof(\(column)) = 'text'"
    // No URL has an empty text.
    case .uri: "typeof(\(column)) = 'text' AND \(column) <> ''"
    case .binary, .transformable, .codable: "typeof(\(column)) = 'blob'"
    case .uuid: "typeof(\(column)) = 'blob' AND length(\(column)) = 16"
    }
  }

  /// The literal of a default value in Swift; nil for types without literals and for other values.
  func literal(_ value: BinaryPropertyList.Value?) -> String? {
    switch (self, value) {
    case (.integer16, .integer(let integer)?), (.integer32, .integer(let integer)?),
      (.integer64, .integer(let integer)?):
      String(integer)
    case (.boolean, .bool(let flag)?): String(flag)
    case (.boolean, .integer(let integer)?): integer == 0 ? "false" : integer == 1 ? "true" : nil
    case (.double, .real(let real)?), (.float, .real(let real)?): real.isFinite ? "\(real)" : nil
    case (.double, .integer(let integer)?), (.float, .integer(let integer)?): "\(Double(integer))"
    case (.string, .text(let text)?): text.swiftLiteral
    default: nil
    }
  }
}
