import Foundation
import GRDB
import SanderlingSQL
import Synchronization

/// Whether opening a store compares the forms of values that other programs stored.
package enum StoredForms {
  /// False only for the fuzzer, in whose databases any column may contain any value.
  package static let areCompared = Atomic(true)
}

/// Finds the columns of a table in which other programs store values of another form than the record's.
///
/// SQLite's declared types say little: columns of any type store a date as a text, or as a number since 1970 or 2001.
/// So the stored values decide. If there are none, the declared type decides.
struct FormComparison {
  private let table: String
  private let sample: TableSample
  /// Whether Core Data made the database. It declares dates as TIMESTAMP and stores seconds since 2001. SQLite stores
  /// whole seconds as integers.
  private let isOfCoreData: Bool

  init(_ declared: DeclaredTable, _ actual: ActualTable, _ reader: SchemaReader, _ db: Database) throws {
    table = declared.name
    let isOfCoreData = reader.object(named: "Z_METADATA") != nil
    self.isOfCoreData = isOfCoreData
    sample = try TableSample(declared.columns, of: actual, db) { column, value in
      column.form.includes(value)
        || isOfCoreData && column.form.isPlainDate && value.storageClassName == "integer"
    }
  }

  /// The difference between the forms of the record's values and of the stored ones; nil if there is none. If less than
  /// half of the values differ, the store opens: another version or tool may have written them by mistake.
  func difference(of column: DeclaredColumn, from existing: ActualColumn) -> SchemaPlan.Difference? {
    let name = column.name.quotedIdentifier
    guard let values = sample.columns[column.name.folded] else {
      return undecided(column, existing).map { remedy in
        .refused(
          table, "column \(name) is declared \(existing.type), and the record stores \(column.form.plural)",
          because: "The record could not read the values of other programs, and would write another form. "
            + remedy)
      }
    }
    if values.others.isEmpty { return nil }
    let classes = Set(values.others.map(\.plural)).sorted().joined(separator: " and ")
    let found = classes == column.form.className + "s" ? "\(classes) of another form" : classes
    if values.others.count * 2 < values.count {
      return .harmless(
        table, "column \(name) holds \(found) in some rows, and the record stores \(column.form.plural)",
        because: "The record can't read those values, or reads them as different values.")
    }
    return .refused(
      table, "column \(name) holds \(found), and the record stores \(column.form.plural)",
      because:
        "The record can't read the stored values, or reads them as different values, and would write another form. "
        + remedy(column, for: values.others))
  }

  private func remedy(_ column: DeclaredColumn, for values: [StorageValue]) -> String {
    let fitting = column.form.alternatives.first { form, _ in values.allSatisfy(form.includes) }
    if let fitting {
      let isNumber = column.form.isPlainDate
      return "For the values as they are, \(fitting.choice) at the property."
        + (isNumber && values.allSatisfy { $0.storageClassName == "integer" }
          ? " If the numbers count from 2001, give the property a ColumnCoding of your own." : "")
    }
    let types = Set(values.map(\.swiftType)).sorted()
    guard types.count == 1, let type = types.first, type != column.form.typeName else {
      return "Give the property a ColumnCoding of your own with @Stored(as:)."
    }
    return "Give the property the type \(type), or a ColumnCoding of your own with @Stored(as:)."
  }

  /// The advice for a declared type in which other programs certainly store another form; nil if that isn't certain.
  private func undecided(_ column: DeclaredColumn, _ existing: ActualColumn) -> String? {
    let type = existing.type.uppercased()
    let affinity = Affinity(declaredType: type)
    let form = column.form
    let isTime = type.contains("DATE") || type.contains("TIME")
    if form.isPlainDate {
      guard [.integer, .text, .numeric].contains(affinity), !isOfCoreData || !isTime else { return nil }
      return "Write @Stored(as: .dateText) at the property for dates as GRDB writes them, or .iso8601, .unixSeconds or "
        + ".unixMilliseconds; a ColumnCoding of your own for numbers that count from 2001."
    }
    if form.coding.columnType == .blob, form.isUUID || form.coding is Data.Type {
      let isNumber = affinity == .numeric && Affinity.isOfNumbers(declaredType: type)
      guard [.integer, .text, .real].contains(affinity) || isTime || isNumber else { return nil }
      return form.isUUID
        ? "Write @Stored(as: .uuidText) or @Stored(as: .lowercaseUUIDText) at the property."
        : "Give the property the type that is stored there."
    }
    if type.contains("BLOB"), form.needsValues || form.coding is String.Type {
      return form.isUUID
        ? "For UUIDs of 16 bytes, leave @Stored(as:) out." : "Give the property the type that is stored there."
    }
    return nil
  }
}

extension ColumnForm {
  fileprivate var plural: String {
    switch coding {
    case is UUIDTextCoding.Type: "UUIDs as upper-case texts"
    case is LowercaseUUIDTextCoding.Type: "UUIDs as lower-case texts"
    case is UUID.Type: "UUIDs of 16 bytes"
    case is Date.Type: "dates as reals"
    default: className + "s"
    }
  }

  fileprivate var typeName: String { String(describing: coding) }
}

extension StorageValue {
  fileprivate var plural: String { storageClassName + "s" }

  /// The Swift type whose values have this storage class.
  fileprivate var swiftType: String {
    switch self {
    case .integer: "Int64"
    case .real: "Double"
    case .text: "String"
    case .blob, .null: "Data"
    }
  }
}
