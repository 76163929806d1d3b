import Foundation
import GRDB

/// The Swift source of the records that read an existing database.
struct RecordSource {
  let text: String
  /// Sentences about the properties of the database that the records can't express.
  let notes: [String]

  /// - Throws: ``RecordsError``, ``DatabaseFileError``.
  init(databaseAt path: String, rows: Int) throws {
    let schema = try DatabaseFile(path: path).opened { database in
      try database.read { try FoundSchema($0, rows: rows) }
    }
    if schema.tables.isEmpty {
      throw schema.unusable.isEmpty ? RecordsError.isEmpty(path) : .allUnusable(path, schema.unusable)
    }
    self.init(schema, file: (path as NSString).lastPathComponent)
  }

  private init(_ schema: FoundSchema, file: String) {
    var plan = RecordPlan(schema.tables)
    let records = plan.records() + plan.comments(on: schema.unusable)
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
