import Foundation
import GRDB
import SanderlingSQL

/// The Swift source of the records that read an existing database.
struct RecordSource {
  let text: String
  /// Sentences about the properties of the database that the records can't express.
  let notes: [String]

  /// - Parameters:
  ///   - tables: The tables to print; none for all.
  ///   - isMove: Whether the records are those of a new database, with the move of the rows to it.
  /// - Throws: ``RecordsError``, ``CoreDataError``, ``DatabaseFileError``.
  init(databaseAt path: String, rows: Int, tables: [String] = [], isMove: Bool = false) throws {
    self = try DatabaseFile(path: path).opened { database in
      try database.read { try RecordSource($0, path: path, rows: rows, tables: tables, isMove: isMove) }
    }
  }

  private init(_ db: Database, path: String, rows: Int, tables: [String], isMove: Bool) throws {
    let file = (path as NSString).lastPathComponent
    if try CoreDataStore.isStore(db) {
      if !tables.isEmpty { throw RecordsError.tablesOfCoreData(path) }
      var plan = try CoreDataRecords(CoreDataStore(db, path: path, rows: rows), db)
      if isMove {
        var move = CoreDataMove(plan)
        let records = move.records()
        self.init(
          records, "a new database for \(file), a store of Core Data", move.header, move.notes, move.declarations
        )
        return
      }
      let records = plan.records()
      self.init(records, "\(file), a store of Core Data", plan.header, plan.notes)
      return
    }
    if isMove { throw RecordsError.noCoreData(path) }
    let schema = try FoundSchema(db, rows: rows)
    let parts = Set(schema.parts.map(\.table))
    let own = schema.tables.filter { !parts.contains($0.name) || tables.folded.contains($0.name.folded) }
    if own.isEmpty {
      throw schema.unusable.isEmpty ? RecordsError.isEmpty(path) : .allUnusable(path, schema.unusable)
    }
    let chosen = tables.isEmpty ? nil : Set(tables.folded)
    for name in tables {
      if let object = schema.unusable.first(where: { $0.name.folded == name.folded }) {
        throw RecordsError.unusable(object)
      }
      if !schema.tables.contains(where: { $0.name.folded == name.folded }) {
        throw RecordsError.noTable(name, schema.tables.map(\.name))
      }
    }
    var plan = RecordPlan(own, chosen: chosen)
    let records = plan.records() + (chosen == nil ? plan.comments(on: schema) : [])
    self.init(records, file, [], plan.notes)
  }

  private init(
    _ records: [RecordPlan.Record], _ origin: String, _ header: [String], _ notes: [String], _ declarations: String = ""
  ) {
    var lines = [
      "// The records of \(origin.printable), made by `sanderling records\(declarations.isEmpty ? "" : " --move")`."
    ]
    lines += header.map { "// \($0.printable)" } + ["", "import Foundation", "import Sanderling", ""]
    let names = records.compactMap(\.name).map { "\($0).self" }.joined(separator: ", ")
    text =
      lines.joined(separator: "\n") + "\n" + records.map(\.text).joined(separator: "\n")
      + "\nlet schema: [any StoredRecord.Type] = [\(names)]\n" + declarations
    self.notes = notes
  }
}
