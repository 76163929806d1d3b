import Foundation
import GRDB

/// The Swift source of the records that read a database as it is.
struct RecordSource {
  /// The source.
  let text: String
  /// What the records can't express, one sentence for each.
  let notes: [String]

  /// - Throws: ``RecordsError``.
  init(databaseAt path: String, rows: Int) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw RecordsError.noFile(path) }
    if isFolder.boolValue { throw RecordsError.isFolder(path) }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    do {
      let tables = try DatabaseQueue(path: path, configuration: configuration).read { db in
        try FoundTable.all(in: db, rows: rows)
      }
      if tables.isEmpty { throw RecordsError.isEmpty(path) }
      self.init(tables, file: (path as NSString).lastPathComponent)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      throw RecordsError.notADatabase(path)
    } catch let error as DatabaseError {
      throw RecordsError.unreadable(path: path, reason: error.message ?? error.resultCode.description)
    }
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
