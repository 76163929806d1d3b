import Foundation
import GRDB

/// The Swift source of the records that read a database as it is.
struct RecordSource {
  /// The source.
  let text: String
  /// What the records can't express, one sentence for each.
  let notes: [String]

  /// - Throws: ``RecordsError``, ``DatabaseFileError``.
  init(databaseAt path: String, rows: Int) throws {
    let tables = try DatabaseFile(path: path).opened { database in
      try database.read { try FoundTable.all(in: $0, rows: rows) }
    }
    if tables.isEmpty { throw RecordsError.isEmpty(path) }
    self.init(tables, file: (path as NSString).lastPathComponent)
  }

  private init(_ tables: [FoundTable], file: String) {
    var plan = RecordPlan(tables)
    let records = plan.records()
    let body = records.map(\.text).joined(separator: "\n")
    var lines = [
      "// The records of \(file.printable), made by `sanderling records`.", "", "import Foundation",
      "import Sanderling", "",
    ]
    if plan.needsAnyValue { lines.append(RecordPlan.codingOfAnyValue) }
    let names = records.compactMap(\.name).map { "\($0).self" }.joined(separator: ", ")
    text = lines.joined(separator: "\n") + "\n" + body + "\nlet schema: [any StoredRecord.Type] = [\(names)]\n"
    notes = plan.notes
  }
}
