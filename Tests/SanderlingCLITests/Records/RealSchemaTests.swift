import Foundation
import GRDB
import Sanderling
import SanderlingSQL
import Testing

@testable import SanderlingCLI

/// The records that `sanderling records` prints for the schemas of real programs read and write each row.
///
/// The printed source is stored in the folder `Real`: see ``PrintedRecords``. `Schemas` has schemas of programs of Debian 12;
/// the other schemas are those of the corpus of the diagnosis.
struct RealSchemaTests {
  struct Schema: CustomTestStringConvertible, Sendable {
    let name: String
    let file: String
    let records: [any StoredRecord.Type]

    var testDescription: String { name }

    static let all = [
      Schema(name: "Calibre", file: "Schemas/calibre.sql", records: Calibre.schema),
      Schema(name: "ChromiumCookies", file: "Schemas/chromium-cookies.sql", records: ChromiumCookies.schema),
      Schema(name: "ChromiumHistory", file: "Schemas/chromium-history.sql", records: ChromiumHistory.schema),
      Schema(name: "ChromiumLogins", file: "Schemas/chromium-logins.sql", records: ChromiumLogins.schema),
      Schema(
        name: "FirefoxContentPrefs", file: "Schemas/firefox-content-prefs.sql", records: FirefoxContentPrefs.schema),
      Schema(name: "FirefoxCookies", file: "Schemas/firefox-cookies.sql", records: FirefoxCookies.schema),
      Schema(name: "FirefoxFavicons", file: "Schemas/firefox-favicons.sql", records: FirefoxFavicons.schema),
      Schema(name: "FirefoxPlaces", file: "Schemas/firefox-places.sql", records: FirefoxPlaces.schema),
      Schema(name: "GitHub", file: "github.sql", records: GitHub.schema),
      Schema(name: "Linkding", file: "linkding.sql", records: Linkding.schema),
      Schema(name: "Mihon", file: "mihon.sql", records: Mihon.schema),
      Schema(name: "Tusky", file: "tusky.sql", records: Tusky.schema),
      Schema(name: "Zim", file: "zim.sql", records: Zim.schema),
    ]

    /// The statements that create the tables, indexes and views.
    func statements() throws -> [String] {
      let folder = RealSchemaTests.folder
      let corpus = folder.appending(path: "../../SanderlingDiagnosisTests/Corpus/HeldOut").standardized
      let url = file.hasPrefix("Schemas/") ? folder.appending(path: file) : corpus.appending(path: file)
      let text = try String(contentsOf: url, encoding: .utf8).replacing("\\\n", with: "")
      // The corpus continues with rows and with statements to diagnose.
      let schema = text.prefix(upTo: text.firstRange(of: "\n-- statement")?.lowerBound ?? text.endIndex)
      let lines = schema.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
      return lines.split(separator: ";\n").map(String.init).filter {
        $0.hasPrefix("CREATE ") && !$0.hasPrefix("CREATE TRIGGER")
      }
    }
  }

  fileprivate static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  @Test(arguments: Schema.all)
  func thePrintedRecordsReadAndWriteEachRow(schema: Schema) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("\(schema.name).sqlite")
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let statements = try schema.statements()
    try await queue.write { db in
      for sql in statements { try db.execute(sql: sql) }
    }
    let empty = try RecordSource(databaseAt: path, rows: 1000)
    try PrintedRecords.check(empty, name: schema.name, in: Self.folder.appending(path: "Real"))

    let seed = SeededGenerator.defaultSeed
    try await queue.write { db in
      var maker = RowMaker(seed: seed)
      try maker.fill(db)
    }
    let violations = try await queue.read { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check").count }
    #expect(violations == 0, "seed \(seed)")
    // A table with rows has the types of the empty table.
    #expect(Self.types(try RecordSource(databaseAt: path, rows: 1000)) == Self.types(empty), "seed \(seed)")

    let store = try await Store.open(queue, schema: schema.records)
    for record in schema.records {
      let comment: Comment = "\(schema.name).\(record), seed \(seed)"
      try await Self.check(record, store, queue, comment)
      try await Self.checkChildren(of: record, schema.records, store, queue, comment)
    }
  }

  /// The lines of the source without comments, and without the name of the file.
  private static func types(_ source: RecordSource) -> [Substring] {
    source.text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
  }

  private static func check<R: StoredRecord>(
    _ record: R.Type, _ store: Store, _ queue: DatabaseQueue, _ comment: Comment
  ) async throws {
    let plain = try await plainRows(record, queue)
    #expect(!plain.isEmpty, comment)
    let rows = try await store.fetch(R.query)
    #expect(try counts(rows.map { try $0.storageValues() }) == counts(plain), comment)
    if R.table.isView { return }
    try await store.write("write back") { tx in
      for row in rows { try tx.update(row) }
    }
    #expect(try await counts(plainRows(record, queue)) == counts(plain), comment)
  }

  /// Each foreign key that leads to the record's key has an association, which finds all rows.
  private static func checkChildren<R: StoredRecord>(
    of record: R.Type, _ others: [any StoredRecord.Type], _ store: Store, _ queue: DatabaseQueue, _ comment: Comment
  ) async throws {
    let key = R.table.key.map { R.table.columns[$0].name }
    // A declaration that contradicts the key of its record ends the process here.
    let associations = R._associations.compactMap { R.fields[keyPath: $0.1] as? any Children }
    for child in others {
      let references = try await queue.read { db in
        try TableReader(child.table.name, db).foreignKeys().filter { reference in
          reference.parent.folded == R.table.name.folded
            && (reference.parentColumns.isEmpty || Set(reference.parentColumns.folded) == Set(key.folded))
        }
      }
      for reference in references {
        let association = associations.first { association in
          let association = association.rows.association
          return association.way.isEmpty && association.destination.table.name == child.table.name
            && Set(association.columns.map { child.table.columns[$0.destination].name }) == Set(reference.columns)
        }
        let found = try #require(association, comment)
        let isLinked = reference.columns.map { "\($0.quotedIdentifier) NOT NULL" }.joined(separator: " AND ")
        let rows = try await queue.read {
          try Int.fetchOne($0, sql: "SELECT count(*) FROM \(child.table.name.quotedIdentifier) WHERE \(isLinked)")
        }
        #expect(try await store.fetch(R.select { _ in found.count }).reduce(0, +) == rows, comment)
      }
    }
  }

  private static func plainRows<R: StoredRecord>(_ record: R.Type, _ queue: DatabaseQueue) async throws
    -> [[StorageValue]]
  {
    let columns = R.table.columns.map(\.name).quotedIdentifiers
    return try await queue.read { db in
      try Row.fetchAll(db, sql: "SELECT \(columns) FROM \(R.table.name.quotedIdentifier)").map { row in
        row.databaseValues.map { value in
          switch value.storage {
          case .null: .null
          case .int64(let integer): .integer(integer)
          case .double(let real): .real(real)
          case .string(let text): .text(text)
          case .blob(let data): .blob(data)
          }
        }
      }
    }
  }

  /// The rows with their numbers. SQLite may store a real as the integer that equals it.
  private static func counts(_ rows: [[StorageValue]]) -> [[StorageValue]: Int] {
    let rows = rows.map { row in
      row.map { value in
        if case .real(let real) = value, let integer = Int64(exactly: real) {
          StorageValue.integer(integer)
        } else {
          value
        }
      }
    }
    return Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +)
  }
}

/// A to-many association of any record.
private protocol Children: Sendable {
  var rows: AssociatedRows { get }
  var count: Field<Int> { get }
}

extension ToMany: Children {}
