import Sanderling
import SanderlingSQL

/// The values that a column's declared type is meant for. A file without types shows the type of a value only by its
/// column.
enum ColumnForm: Equatable {
  case texts, blobs
  /// Numbers. SQLite leaves a text that is no number unchanged, but only some types are used for such texts.
  case numbers(andTexts: Bool)
  /// Values of all types, since the column has no type.
  case anything

  /// - Parameter isStrict: Whether the table is STRICT; nil for a column of a query, whose table isn't known.
  init(declaredType: String, inStrictTable isStrict: Bool?) {
    let isAny = declaredType.uppercased() == "ANY" && isStrict != false
    switch Affinity(declaredType: declaredType) {
    case _ where isAny: self = .anything
    case .text: self = .texts
    case .blob: self = declaredType.isEmpty ? .anything : .blobs
    case .integer, .real: self = .numbers(andTexts: false)
    case .numeric: self = .numbers(andTexts: !declaredType.uppercased().contains("BOOL"))
    }
  }

  /// Whether a reader of a file without types may take the value for another value, of the column's type.
  func isAmbiguous(_ value: StorageValue) -> Bool {
    switch (self, value) {
    case (.anything, _), (_, .null), (.texts, .text), (.blobs, .blob): false
    case (.numbers, .integer), (.numbers, .real): false
    case (.numbers(let takesTexts), .text(let text)): !takesTexts || text.isEmpty
    default: true
    }
  }
}
