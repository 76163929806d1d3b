/// The conversion of a column's values by SQLite, which depends on the column's declared type.
///
/// See [Type affinity](https://www.sqlite.org/datatype3.html#type_affinity). The raw value is a type that declares the
/// affinity.
package enum Affinity: String, Hashable, Sendable {
  /// No conversion.
  case blob = "BLOB"
  case text = "TEXT"
  case numeric = "NUMERIC"
  case integer = "INTEGER"
  case real = "REAL"

  /// The affinity of a declared type, by SQLite's rules.
  ///
  /// - Parameter isStrict: Whether the table is STRICT. In a STRICT table, ANY converts nothing; in others, it has
  ///   NUMERIC affinity.
  package init(declaredType: String, inStrictTable isStrict: Bool = false) {
    let type = declaredType.asciiUppercased
    func has(_ parts: String...) -> Bool { parts.contains { type.contains($0) } }
    self =
      if has("INT") { .integer } else if has("CHAR", "CLOB", "TEXT") {
        .text
      } else if type.isEmpty || has("BLOB")
        || isStrict && type == "ANY"
      { .blob } else if has("REAL", "FLOA", "DOUB") { .real } else { .numeric }
  }

  package var isNumeric: Bool {
    switch self {
    case .numeric, .integer, .real: true
    case .blob, .text: false
    }
  }

  /// Whether a declared type of NUMERIC affinity is meant for numbers, such as DECIMAL(10, 2) and unlike UUID.
  package static func isOfNumbers(declaredType: String) -> Bool {
    let type = declaredType.asciiUppercased
    return ["NUM", "DEC", "MONEY", "CURRENCY", "BOOL"].contains { type.contains($0) }
  }
}
