import Foundation
import GRDB

/// The Swift source of the records that read an existing database.
struct RecordSource {
  let text: String
  /// Sentences about the properties of the database that the records can't express.
  let notes: [String]

  /// - Throws: ``RecordsError``, ``CoreDataError``, ``DatabaseFileError``.
  init(databaseAt path: String, rows: Int) throws {
    self = try DatabaseFile(path: path).opened { database in
      try database.read { try RecordSource($0, path: path, rows: rows) }
    }
  }

  private init(_ db: Database, path: String, rows: Int) throws {
    let file = (path as NSString).lastPathComponent
    if try CoreDataStore.isStore(db) {
      var plan = try CoreDataRecords(CoreDataStore(db, path: path, rows: rows), db)
      let records = plan.records()
      self.init(records, "\(file), a store of Core Data", plan.header, plan.needsAnyValue, plan.notes)
      return
    }
    let schema = try FoundSchema(db, rows: rows)
    if schema.tables.isEmpty {
      throw schema.unusable.isEmpty ? RecordsError.isEmpty(path) : .allUnusable(path, schema.unusable)
    }
    var plan = RecordPlan(schema.tables)
    let records = plan.records() + plan.comments(on: schema.unusable)
    self.init(records, file, [], plan.needsAnyValue, plan.notes)
  }

  private init(
    _ records: [RecordPlan.Record], _ origin: String, _ header: [String], _ needsAnyValue: Bool, _ notes: [String]
  ) {
    var lines = ["// The records of \(origin.printable), made by `sanderling records`."]
    lines += header.map { "// \($0.printable)" } + ["", "import Foundation", "import Sanderling", ""]
    if needsAnyValue { lines.append(RecordPlan.codingOfAnyValue) }
    let names = records.compactMap(\.name).map { "\($0).self" }.joined(separator: ", ")
    text =
      lines.joined(separator: "\n") + "\n" + records.map(\.text).joined(separator: "\n")
      + "\nlet schema: [any StoredRecord.Type] = [\(names)]\n"
    self.notes = notes
  }
}
