import Foundation
import GRDB

/// The Swift source of the records that read an existing database.
struct RecordSource {
  let text: String
  /// Sentences about the properties of the database that the records can't express.
  let notes: [String]

  /// - Parameter isMove: Whether the records are those of a new database, with the move of the rows to it.
  /// - Throws: ``RecordsError``, ``CoreDataError``, ``DatabaseFileError``.
  init(databaseAt path: String, rows: Int, isMove: Bool = false) throws {
    self = try DatabaseFile(path: path).opened { database in
      try database.read { try RecordSource($0, path: path, rows: rows, isMove: isMove) }
    }
  }

  private init(_ db: Database, path: String, rows: Int, isMove: Bool) throws {
    let file = (path as NSString).lastPathComponent
    if try CoreDataStore.isStore(db) {
      var plan = try CoreDataRecords(CoreDataStore(db, path: path, rows: rows), db)
      if isMove {
        var move = CoreDataMove(plan)
        let records = move.records()
        self.init(
          records, "a new database for \(file), a store of Core Data", move.header, false, move.notes, move.declarations
        )
        return
      }
      let records = plan.records()
      self.init(records, "\(file), a store of Core Data", plan.header, plan.needsAnyValue, plan.notes)
      return
    }
    if isMove { throw RecordsError.noCoreData(path) }
    let schema = try FoundSchema(db, rows: rows)
    if schema.tables.isEmpty {
      throw schema.unusable.isEmpty ? RecordsError.isEmpty(path) : .allUnusable(path, schema.unusable)
    }
    var plan = RecordPlan(schema.tables)
    let records = plan.records() + plan.comments(on: schema.unusable)
    self.init(records, file, [], plan.needsAnyValue, plan.notes)
  }

  private init(
    _ records: [RecordPlan.Record], _ origin: String, _ header: [String], _ needsAnyValue: Bool, _ notes: [String],
    _ declarations: String = ""
  ) {
    var lines = [
      "// The records of \(origin.printable), made by `sanderling records\(declarations.isEmpty ? "" : " --move")`."
    ]
    lines += header.map { "// \($0.printable)" } + ["", "import Foundation", "import Sanderling", ""]
    if needsAnyValue { lines.append(RecordPlan.codingOfAnyValue) }
    let names = records.compactMap(\.name).map { "\($0).self" }.joined(separator: ", ")
    text =
      lines.joined(separator: "\n") + "\n" + records.map(\.text).joined(separator: "\n")
      + "\nlet schema: [any StoredRecord.Type] = [\(names)]\n" + declarations
    self.notes = notes
  }
}
