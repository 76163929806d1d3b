import GRDB
import Sanderling

/// Compares the version counters of one table's rows before and after a statement.
///
/// If a statement changed other columns of a row, the row's counter must have grown, unless the statement sets the
/// counter itself.
struct TouchCheck {
  private struct Version: Equatable {
    let number: StorageValue
    let others: [StorageValue]
  }

  private let before: [StorageValue: Version]

  /// - Returns: Nil for a statement that may set the counter itself or replaces rows, and if the table's triggers
  ///   aren't the record's.
  init?(_ step: WriteStep, _ db: Database) {
    guard Self.concerns(step), let before = try? Self.versions(db), let hasTriggers = try? Self.hasTriggers(db),
      hasTriggers
    else { return nil }
    self.before = before
  }

  private static func concerns(_ step: WriteStep) -> Bool {
    switch step {
    case .sql(let kind, let sql, _):
      guard sql.hasPrefix("UPDATE person") || sql.hasPrefix("INSERT INTO person") else { return false }
      switch kind {
      case .update, .updateWhere, .updateAll, .toggle, .reparent:
        return !sql.contains("\"revision\" = ")
      case .upsert: return !(sql.components(after: "DO UPDATE SET").contains("\"revision\" = "))
      default: return false
      }
    case .record(let operation, let record, let values):
      guard record == Person.self, operation == .update || operation == .upsert else { return false }
      return values.last?.isNull == true
    case .savepoint: return false
    }
  }

  private static func hasTriggers(_ db: Database) throws -> Bool {
    let found = try String.fetchSet(
      db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = 'person' AND sql IS NOT NULL")
    return Person.table.touchTriggerSQL.allSatisfy(found.contains)
  }

  private static func versions(_ db: Database) throws -> [StorageValue: Version] {
    let names = Person.table.columns.map(\.name).filter { $0 != "revision" }.map(\.quotedIdentifier)
    let rows = try Row.fetchAll(db, sql: "SELECT \(names.joined(separator: ", ")), revision FROM person")
    let pairs = rows.map { row -> (StorageValue, Version) in
      let values: [StorageValue] = row.databaseValues.map(StorageValue.init)
      return (values[0], Version(number: values[values.count - 1], others: Array(values.dropLast())))
    }
    // NULL keys identify no rows.
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// The problem with the rows after the statement; nil if there is none.
  func problem(_ db: Database) throws -> String? {
    for (key, now) in try Self.versions(db) {
      guard !key.isNull, let old = before[key], old.others != now.others else { continue }
      // A non-integer or a very large counter can't be incremented reliably.
      guard let oldNumber = old.number.count, oldNumber < 1 << 40 else { continue }
      if now.number.isNull || now.number.count.map({ $0 <= oldNumber }) == true {
        return "a person was changed, and has revision \(now.number.literal) after \(old.number.literal)"
      }
    }
    return nil
  }
}

extension StorageValue {
  /// The counter; 0 for NULL, and nil for a non-integer.
  fileprivate var count: Int64? {
    switch self {
    case .integer(let integer): integer
    case .null: 0
    case .real, .text, .blob: nil
    }
  }
}

extension String {
  fileprivate func components(after part: String) -> Substring {
    range(of: part).map { self[$0.upperBound...] } ?? ""
  }
}
