import ArgumentParser
import Foundation
import Sanderling
import SanderlingDiagnosis
import SanderlingTerminal

/// `sanderling records`
struct RecordsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "records",
    abstract: "Prints Swift records that read an existing database as it is.",
    discussion: """
      Each table becomes a struct marked @Record. Types come from the declared types and from the stored values: texts, blobs \
      and numbers that are UUIDs or dates get the type and the attribute that reads them. Foreign keys become associations in both \
      directions. A table without a key becomes a record that only reads the table. Comments and messages on standard error name the \
      parts that a record can't express, and the tables and views that can't be read without the app. The database is opened for \
      reading and never changed.

      Names are English singulars without a beginning that all tables have: Place for moz_places. Initialisms have one case: url, \
      homeURL, URLVisit.

      For a store of Core Data or SwiftData, the records have the names, types and relationships of the store's model. If the store has \
      no model, names come from the columns. With --move, the records are those of a new database with plain names and types, and \
      a StoreMove follows, which moves the rows on the user's device.

      Exit codes: 0 when the records were printed, 1 when the database can't be read or the output not written, 64 for invalid arguments.
      """)

  @Argument(help: ArgumentHelp("The database file.", valueName: "database"))
  var database: String

  @Argument(
    help: ArgumentHelp(
      "The tables to print, if not all. A store of Core Data is printed as a whole.", valueName: "table")
  )
  var tables: [String] = []

  @Option(
    help: ArgumentHelp(
      "The number of rows to read of each table, from its beginning. Of a store with a model, all rows are checked.",
      valueName: "count"))
  var rows = 10_000

  @Flag(
    help: ArgumentHelp(
      "Prints the records of a new database, and the move of the rows of a store of Core Data or SwiftData to it."))
  var move = false

  func validate() throws {
    if database.isEmpty { throw ValidationError("The database needs the path of a file.") }
    if rows < 1 { throw ValidationError("--rows must be at least 1.") }
  }

  func run() throws {
    let source = try RecordSource(databaseAt: database, rows: rows, tables: tables, isMove: move)
    for note in source.notes {
      ProgressOutput.write("sanderling: \(note.printable)\n")
    }
    try OutputWriter.standardOutput.write(source.text)
  }
}

/// The reason why `sanderling records` can't print records of a database.
enum RecordsError: CommandError, Equatable {
  case isEmpty(String)
  case allUnusable(String, [UnusableObject])
  case noCoreData(String)
  /// Only some tables of a store of Core Data were named.
  case tablesOfCoreData(String)
  case noTable(String, [String])
  case unusable(UnusableObject)

  var description: String {
    switch self {
    case .allUnusable(let path, let objects):
      "\(path.printable) has no table that can be read here: \(objects.map(\.sentence).joined(separator: "; ")). "
        + "Name a database whose tables need no function, collation or module of an app."
    case .noCoreData(let path):
      "\(path.printable) is no store of Core Data or SwiftData, and --move moves only these. Leave out --move, and open the database where "
        + "it is."
    case .tablesOfCoreData(let path):
      "\(path.printable) is a store of Core Data or SwiftData, whose records are printed together. Leave out the names of tables."
    case .noTable(let name, let names):
      "There is no table \(name.printableName). "
        + (NearestName.nearest(to: name, in: names).map { "Did you mean \($0.printableName)? " } ?? "")
        + "Name one of \(names.map(\.printableName).joined(separator: ", "))."
    case .unusable(let object): "\(object.sentence.capitalizedFirst). Name another table."
    case .isEmpty(let path): "\(path.printable) has no tables. Name a database with tables."
    }
  }
}
