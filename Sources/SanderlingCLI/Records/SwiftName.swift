import SanderlingTerminal

/// Translates names of a database to names of Swift.
enum SwiftName {
  /// Returns the name of an entity's record: the entity's own, if Swift can have it.
  static func type(ofEntity entity: String, _ taken: inout Set<String>) -> String {
    type(isIdentifier(entity) ? entity.capitalizedFirst : NameWords(entity).asType, &taken)
  }

  /// Returns a name as that of a record, if Swift can have it and no other type has it.
  static func type(_ name: String, _ taken: inout Set<String>) -> String {
    var name = name
    if name.isEmpty || name.first?.isLetter == false { name = "Table" + name }
    while typesOfOthers.contains(name) { name += "Record" }
    return unique(name, &taken)
  }

  /// Returns the name of a model's property: the developer's own, if it is free and Swift can have it.
  static func member(_ name: String, _ taken: inout Set<String>) -> String {
    // A property with the name of a type hides the type.
    let isFree = !typesOfOthers.contains(name) && !["self", "init"].contains(name)
    if isIdentifier(name), isFree { return unique(name, &taken) }
    return property(of: name, &taken)
  }

  private static func isIdentifier(_ name: String) -> Bool {
    name.first?.isLetter == true && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      && name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }

  /// Returns the name of a column's property: `project_id` becomes `projectID`. Plain Swift names are kept, except for
  /// the case of initialisms.
  static func property(of column: String, _ taken: inout Set<String>) -> String {
    var name = isPlain(column) ? NameWords.respelled(column) : NameWords(column).asValue
    if name.isEmpty || name.first?.isLetter == false { name = "column" + name }
    // A record has a property `key`.
    if name == "key", taken.contains(name) { name = "keyName" }
    return unique(name, &taken)
  }

  /// Returns the name of a column's property if no other member has it.
  static func property(of column: String) -> String {
    var taken: Set<String> = []
    return property(of: column, &taken)
  }

  /// Returns the first name that is free, or else the last one with a number. The name is taken then.
  static func free(_ names: [String], _ taken: inout Set<String>) -> String {
    let name = names.first { !taken.contains($0) && !reserved.contains($0) } ?? names[names.count - 1]
    return unique(name, &taken)
  }

  /// Returns the default table of a record.
  static func table(of type: String) -> String {
    let capitals = type.prefix { $0.isUppercase }
    let endsInWord = type.dropFirst(capitals.count).first.map { $0.isLetter || $0 == "_" } ?? false
    let lowered = capitals.count > 1 && endsInWord ? capitals.dropLast() : capitals
    return lowered.lowercased() + type.dropFirst(lowered.count)
  }

  /// Returns the name as written in source, with backticks around a keyword.
  static func quoted(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// Whether a name can be kept: a lower-case letter first, then only letters and digits.
  private static func isPlain(_ name: String) -> Bool {
    name.first?.isLowercase == true && isIdentifier(name) && !name.contains("_")
  }

  private static func unique(_ name: String, _ taken: inout Set<String>) -> String {
    var result = name
    var number = 2
    if reserved.contains(result) { result += "Value" }
    while !taken.insert(result).inserted {
      result = "\(name)\(number)"
      number += 1
    }
    return result
  }

  /// Words that Swift doesn't accept as a member's name, even in backticks.
  private static let reserved: Set<String> = ["self", "init", "Type", "Self", "Protocol"]

  /// Names of types that a file with only Foundation and Sanderling imported already has.
  private static let typesOfOthers: Set<String> = [
    "Actor", "Any", "AnyObject", "Array", "Bool", "Bundle", "Calendar", "Character", "Collection", "Comparable",
    "BelongsTo",
    "ColumnCoding", "ColumnType", "Condition", "Data", "Date", "Decimal", "Dictionary", "Double", "Duration", "Error",
    "Field", "File", "Float", "Hashable",
    "Host",
    "HasMany", "Index", "Insertion", "Int", "Int16", "Int32", "Int64", "Locale", "Measurement", "Notification",
    "Operation", "Optional",
    "Ordering",
    "Pipe", "Port", "Prefetch", "Process", "Progress", "Protocol", "Range", "Result", "Scanner", "Selection", "Self",
    "Sequence",
    "Set", "Slice", "StorageValue", "Store", "StoredRecord", "Stream", "String", "Substring", "Task", "Thread", "Timer",
    "Type", "Unit",
    "URL",
    "UUID", "Unmanaged", "Void", "Assignment", "Commit", "Collation", "Stored", "Record", "Projection", "References",
    "PrimaryKey",
    "Identifiable", "Sendable", "Never", "Mirror", "Codable", "Encoder", "Decoder", "Key", "Fields", "Durability",
    "Foundation", "GRDB", "ID", "Owner", "Sanderling", "Source", "Swift",
  ]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
    "else",
    "enum",
    "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "inout",
    "internal", "is",
    "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}

extension String {
  /// The text as a Swift string literal.
  var swiftLiteral: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 32 || scalar.value == 127: result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
