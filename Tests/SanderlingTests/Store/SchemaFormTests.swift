import Foundation
import GRDB
import SanderlingSQL
import Testing

@testable import Sanderling

/// Tables of other programs, whose values have another format than the record's.
@Suite struct SchemaFormTests {
  @Record("event") struct Event {
    var id: Int64?
    var at: Date
  }

  @Record("event") struct OptionalEvent {
    var id: Int64?
    var at: Date?
  }

  @Record("event") struct TextEvent {
    var id: Int64?
    @Stored(as: .dateText) var at: Date
  }

  @Record("event") struct ISOEvent {
    var id: Int64?
    @Stored(as: .iso8601) var at: Date?
  }

  @Record("event") struct SecondsEvent {
    var id: Int64?
    @Stored(as: .unixSeconds) var at: Date
  }

  @Record("event") struct MillisecondsEvent {
    var id: Int64?
    @Stored(as: .unixMilliseconds) var at: Date
  }

  /// Dates as whole seconds since 2001.
  enum ReferenceSeconds: ColumnCoding {
    typealias Value = Date
    static var columnType: Sanderling.ColumnType { .integer }
    static func encode(_ value: Date) throws -> StorageValue {
      .integer(Int64(value.timeIntervalSinceReferenceDate))
    }
    static func decode(_ stored: StorageValue) throws -> Date {
      try Date(timeIntervalSinceReferenceDate: Double(Int64.decode(stored)))
    }
  }

  @Record("event") struct OwnEvent {
    var id: Int64?
    @Stored(as: ReferenceSeconds.self) var at: Date
  }

  @Record("device") struct Device {
    var id: UUID
    var parentID: UUID?
  }

  @Record("device") struct UpperDevice {
    @Stored(as: .uuidText) var id: UUID
    @Stored(as: .uuidText) var parentID: UUID?
  }

  @Record("device") struct LowerDevice {
    @Stored(as: .lowercaseUUIDText) var id: UUID
    @Stored(as: .lowercaseUUIDText) var parentID: UUID?
  }

  enum Level: Int, SortableColumnValue { case low, high }

  @Record("thing") struct Thing {
    var id: Int64?
    var flag: Bool?
    var count: Int?
    var small: Int16?
    var ratio: Double?
    var part: Float?
    var amount: Decimal?
    var text: String?
    var data: Data?
    var level: Level?
    @Stored(as: .json) var tags: [String]?
  }

  private func plan(_ sql: String, _ record: any StoredRecord.Type) throws -> SchemaPlan {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: sql) }
    return try queue.read { try SchemaMigration.check($0, schema: StoreSchema([record])) }
  }

  /// Returns the messages of the refusals for each column, or no messages if the table is accepted.
  private func refusals(_ sql: String, _ record: any StoredRecord.Type) throws -> [String] {
    try plan(sql, record).refusals.map { difference in
      guard case .refused(let reason) = difference.effect else { return difference.summary }
      return "\(difference.table ?? "").\(difference.summary): \(reason)"
    }
  }

  // MARK: Dates

  @Test func datesOfGRDBUnderAPlainDate() async throws {
    let folder = TemporaryFolder()
    let queue = try DatabaseQueue(path: folder.path())
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    try await queue.write { db in
      try db.create(table: "event") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("at", .datetime).notNull()
      }
      try db.execute(sql: "INSERT INTO event (at) VALUES (?)", arguments: [date])
    }
    let error = #expect(throws: StoreError.self) { try Store(queue, schema: [Event.self]) }
    guard case .schemaMismatch(let plan)? = error else { throw try #require(error) }
    #expect(
      plan.description == """
        The schema differs from the records in ways that need a decision.

        Refused:
        - event: column "at" holds texts, and the record stores dates as reals
          The record can't read the stored values, or reads them as different values, and would write another form. For \
        the values as they are, write @Stored(as: .dateText) at the property.

        """)
    let store = try Store(queue, schema: [TextEvent.self])
    #expect(try await store.fetch(TextEvent.query).map(\.at) == [date])
  }

  /// A file that GRDB made is also refused when the store is to migrate it from now on, before anything is written.
  @Test func fileOfGRDBIsRefusedBeforeItsMigration() throws {
    let folder = TemporaryFolder()
    try DatabaseQueue(path: folder.path()).run(
      "CREATE TABLE event (id INTEGER PRIMARY KEY, at DATETIME NOT NULL); "
        + "INSERT INTO event (at) VALUES ('2026-11-21 08:30:00.123')")
    #expect(throws: StoreError.self) { try Store(path: folder.path(), schema: [Event.self]) }
    let queue = try DatabaseQueue(path: folder.path())
    #expect(try queue.read { try SchemaReader($0).objects.map(\.name) } == ["event"])
  }

  @Test(
    arguments: [
      ("'2026-11-21 08:30:00.123'", ".dateText"), ("'2026-11-21 08:30:00'", ".dateText"), ("'2026-11-21'", ".dateText"),
      ("'2026-11-21T08:30:00Z'", ".iso8601"), ("'2026-11-21T08:30:00.123+02:00'", ".iso8601"),
      ("1700000000", ".unixSeconds"), ("1700000000123", ".unixMilliseconds"),
    ])
  func refusalNamesTheCodingOfFoundDates(_ value: String, coding: String) throws {
    for type in ["", "DATETIME", "TEXT", "NUMERIC", "BLOB"] {
      // A TEXT column would convert numbers to texts, so that no program stores them there.
      if type == "TEXT" && !value.hasPrefix("'") { continue }
      let sql =
        "CREATE TABLE event (id INTEGER PRIMARY KEY, at \(type)); INSERT INTO event (at) VALUES (\(value)), (NULL)"
      for record in [Event.self, OptionalEvent.self] as [any StoredRecord.Type] {
        let refusals = try refusals(sql, record)
        #expect(refusals.count == 1)
        #expect(refusals[0].contains("write @Stored(as: \(coding)) at the property"), "\(type): \(refusals[0])")
        #expect(!refusals[0].contains("2026-11") && !refusals[0].contains("17000"))
      }
    }
  }

  @Test func datesAreAcceptedOnlyByTheirCoding() throws {
    func expect(_ record: any StoredRecord.Type, _ accepted: [String], _ others: [String]) throws {
      for value in accepted + others {
        let sql = "CREATE TABLE event (id INTEGER PRIMARY KEY, at); INSERT INTO event (at) VALUES (\(value))"
        #expect(try refusals(sql, record).isEmpty == accepted.contains(value), "\(record) \(value)")
      }
    }
    let (text, iso) = ("'2026-11-21 08:30:00.123'", "'2026-11-21T08:30:00.123Z'")
    try expect(Event.self, ["8.2e8", "801909000.25"], [text, iso, "1700000000", "X'00'"])
    try expect(TextEvent.self, [text, "'2026-11-21'"], [iso, "1700000000", "8.2e8", "'yesterday'"])
    try expect(ISOEvent.self, [iso, "'2026-11-21'", "NULL"], [text, "1700000000", "8.2e8"])
    try expect(SecondsEvent.self, ["1700000000", "1700000000.5"], [text, iso, "1700000000123"])
    try expect(MillisecondsEvent.self, ["1700000000123"], [text, iso, "1700000000.5"])
    try expect(OwnEvent.self, ["800000000"], [text, "8.2e8"])
  }

  /// Without a stored value, only the declared type shows the format of other programs.
  @Test func emptyTablesOfDates() throws {
    for (type, record, isAccepted): (String, any StoredRecord.Type, Bool) in [
      ("DATETIME", Event.self, false), ("DATE", Event.self, false), ("TIMESTAMP", OptionalEvent.self, false),
      ("TEXT", Event.self, false), ("INTEGER", Event.self, false), ("NUMERIC", Event.self, false),
      ("REAL", Event.self, true), ("DOUBLE", Event.self, true), ("", Event.self, true),
      ("DATETIME", TextEvent.self, true), ("TEXT", ISOEvent.self, true), ("DATETIME", SecondsEvent.self, true),
      ("INTEGER", MillisecondsEvent.self, true), ("INTEGER", OwnEvent.self, true), ("BLOB", TextEvent.self, false),
    ] {
      for rows in ["", "; INSERT INTO event VALUES (1, NULL)"] {
        let refusals = try refusals("CREATE TABLE event (id INTEGER PRIMARY KEY, at \(type))\(rows)", record)
        #expect(refusals.isEmpty == isAccepted, "\(type) \(record): \(refusals)")
        #expect(isAccepted || refusals[0].contains("column \"at\" is declared \(type)"))
      }
    }
  }

  /// Dates of Core Data are accepted. Core Data declares them TIMESTAMP, and SQLite stores whole seconds as integers.
  @Test func datesOfCoreData() throws {
    for value in [
      "", "; INSERT INTO event VALUES (1, 8.1e8), (2, NULL)", "; INSERT INTO event VALUES (1, 810000000.5)",
    ] {
      let sql = "CREATE TABLE event (id INTEGER PRIMARY KEY, at TIMESTAMP)\(value)"
      #expect(try refusals("CREATE TABLE Z_METADATA (Z_VERSION INTEGER); \(sql)", OptionalEvent.self) == [])
    }
  }

  // MARK: Identifiers

  private static let upper = "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"

  @Test func identifiers() throws {
    let (upper, lower) = ("'\(Self.upper)'", "'\(Self.upper.lowercased())'")
    let bytes = "X'F81D4FAE7DEC11D0A76500A0C91E6BF6'"
    let records: [(any StoredRecord.Type, String, String)] = [
      (Device.self, bytes, "leave @Stored(as:) out"), (UpperDevice.self, upper, "write @Stored(as: .uuidText)"),
      (LowerDevice.self, lower, "write @Stored(as: .lowercaseUUIDText)"),
    ]
    for type in ["", "TEXT", "BLOB", "UUID", "CHAR(36)"] {
      for (_, value, choice) in records {
        let sql = """
          CREATE TABLE device (id \(type) NOT NULL PRIMARY KEY, parentID \(type));
          INSERT INTO device VALUES (\(value), \(value))
          """
        for (record, own, _) in records {
          let refusals = try refusals(sql, record)
          if own == value {
            #expect(refusals == [], "\(type)")
          } else {
            #expect(refusals.count == 2 && refusals.allSatisfy { $0.contains(choice) }, "\(type): \(refusals)")
          }
        }
      }
    }
  }

  @Test func emptyTablesOfIdentifiers() throws {
    for (type, record, isAccepted): (String, any StoredRecord.Type, Bool) in [
      ("TEXT", Device.self, false), ("VARCHAR(36)", Device.self, false), ("INTEGER", Device.self, false),
      ("BLOB", Device.self, true), ("", Device.self, true), ("BINARY(16)", Device.self, true),
      ("UUID", Device.self, true),
      ("TEXT", UpperDevice.self, true), ("UUID", LowerDevice.self, true), ("BLOB", UpperDevice.self, false),
    ] {
      let refusals = try refusals(
        "CREATE TABLE device (id \(type) NOT NULL PRIMARY KEY, parentID \(type)) WITHOUT ROWID", record)
      #expect(refusals.isEmpty == isAccepted, "\(type) \(record): \(refusals)")
    }
  }

  /// A property that was adopted with the wrong coding before leaves values in both formats.
  @Test func mixedForms() throws {
    func sql(_ texts: Int, _ reals: Int) -> String {
      "CREATE TABLE event (id INTEGER PRIMARY KEY, at);"
        + String(repeating: "INSERT INTO event (at) VALUES ('2026-11-21 08:30:00.123');", count: texts)
        + String(repeating: "INSERT INTO event (at) VALUES (8.1e8 + 0.5);", count: reals)
    }
    #expect(try plan(sql(1000, 16), Event.self).isRefused)
    #expect(try plan(sql(16, 1000), Event.self).isRefused)
    let few = try plan(sql(3, 1000), Event.self)
    #expect(!few.isRefused)
    #expect(
      few.remarks.map(\.summary).contains(
        "column \"at\" holds texts in some rows, and the record stores dates as reals"))
  }

  // MARK: Other types

  @Test(
    arguments: [
      ("flag", "'true'", "String"), ("flag", "2", nil), ("count", "'12'", "String"), ("count", "1.5", "Double"),
      ("small", "70000", "Int64"), ("ratio", "'1.5'", "String"), ("part", "0.1", "Double"),
      ("amount", "'12,50'", "String"), ("text", "5", "Int64"), ("text", "X'41'", "Data"),
      ("data", "'A'", "String"), ("level", "'high'", "String"), ("tags", "1", "Int64"),
    ])
  func refusalNamesTheTypeOfFoundValues(_ column: String, value: String, type: String?) throws {
    let refusals = try refusals("\(Self.things); INSERT INTO thing (\(column)) VALUES (\(value))", Thing.self)
    #expect(refusals.count == 1)
    #expect(
      refusals.first?.hasSuffix(
        (type.map { "Give the property the type \($0), or" } ?? "Give the property the type Int64, or")
          + " a ColumnCoding of your own with @Stored(as:).") == true, "\(refusals)")
  }

  @Test(arguments: ["1.5", "5"]) func refusalNamesTheCodingOfDecimals(value: String) throws {
    let refusals = try refusals("\(Self.things); INSERT INTO thing (amount) VALUES (\(value))", Thing.self)
    #expect(refusals.count == 1)
    #expect(
      refusals.first?.hasSuffix("For the values as they are, write @Stored(as: .decimalNumber) at the property.")
        == true,
      "\(refusals)")
  }

  /// Unknown cases of enumerations are accepted, because newer versions write them. JSON is accepted as text and as
  /// blob.
  @Test(
    arguments: [
      ("flag", "1"), ("count", "-5"), ("small", "-7"), ("ratio", "3"), ("ratio", "3.5"), ("part", "0.5"), ("part", "2"),
      ("amount", "'12.50'"), ("text", "''"), ("data", "X''"), ("level", "7"), ("tags", "'[]'"), ("tags", "X'5B5D'"),
      ("tags", "'no JSON'"),
    ])
  func readableValuesAreAccepted(_ column: String, value: String) throws {
    #expect(try refusals("\(Self.things); INSERT INTO thing (\(column)) VALUES (\(value))", Thing.self) == [])
  }

  private static let things = """
    CREATE TABLE thing (id INTEGER PRIMARY KEY, flag, count, small, ratio, part, amount, text, data, level, tags)
    """

  @Test func emptyTablesAreJudgedByTheirTypes() throws {
    for (column, type, isAccepted) in [
      ("data", "BLOB", true), ("data", "VARBINARY(20)", true), ("data", "TEXT", false), ("data", "REAL", false),
      ("data", "DATETIME", false), ("text", "BLOB", false), ("flag", "BLOB", false), ("flag", "BOOLEAN", true),
      ("tags", "BLOB", true), ("tags", "JSON", false), ("count", "BIGINT", true), ("ratio", "NUMERIC", true),
    ] {
      let sql = Self.things.replacing(" \(column)", with: " \(column) \(type)")
      let refusals = try refusals(sql, Thing.self)
      #expect(refusals.isEmpty == isAccepted, "\(column) \(type): \(refusals)")
    }
  }

  // MARK: Tables of the store

  @Test func tablesOfTheStoreAreNotChecked() async throws {
    let folder = TemporaryFolder()
    let schema: [any StoredRecord.Type] = [Event.self, Device.self, Thing.self]
    let path = folder.path()
    do {
      let store = try Store(path: path, schema: schema)
      try await store.write("add") { tx in
        try tx.insert(Event(id: nil, at: Date(timeIntervalSinceReferenceDate: 800_000_000)))
        try tx.insert(Device(id: UUID(1), parentID: nil))
        try tx.insert(Thing(id: nil, amount: 5, text: "a", level: .high, tags: []))
        // Another program may write any values: tables that the store created are not checked.
        try tx.execute("INSERT INTO event (at) VALUES ('2026-11-21'), ('2026-11-21')")
      }
      try store.close()
    }
    var configuration = Configuration()
    #expect(throws: Never.self) { try Store(path: path, schema: schema, configuration: configuration).close() }
    #expect(throws: Never.self) { try Store(DatabaseQueue(path: path), schema: schema) }
    configuration.readonly = true
    #expect(throws: Never.self) { try Store(path: path, schema: schema, configuration: configuration).close() }
  }

  /// Tables that an app's migration creates with the store's statements are accepted.
  @Test func tablesMadeByTheStoresStatementsAreAccepted() throws {
    let schema = try StoreSchema([Event.self, Device.self, Thing.self])
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: schema.sql) }
    #expect(try queue.read { try SchemaMigration.check($0, schema: schema) }.differences == [])
    try queue.write { db in
      try GRDBRecord(Event(id: 1, at: Date(timeIntervalSinceReferenceDate: 800_000_000))).insert(db)
      try GRDBRecord(Device(id: UUID(1), parentID: UUID(2))).insert(db)
      try GRDBRecord(Thing(id: 1, flag: true, count: 1, small: 2, ratio: 1, part: 0.1, amount: 5, tags: [])).insert(db)
    }
    #expect(try queue.read { try SchemaMigration.check($0, schema: schema) }.differences == [])
  }

  // MARK: Cost

  @Test(
    arguments: [
      "CREATE TABLE event (id INTEGER PRIMARY KEY, at)", "CREATE TABLE event (id INT NOT NULL UNIQUE, at)",
      "CREATE TABLE event (id INT PRIMARY KEY DESC, at) WITHOUT ROWID",
      "CREATE TABLE event (id TEXT COLLATE NOCASE, at, PRIMARY KEY (at DESC, id)) WITHOUT ROWID",
      "CREATE TABLE event (id INTEGER, rowid, _rowid_, oid, at)",
    ])
  func sampleReadsNoMoreRowsThanItsLimit(_ definition: String) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          \(definition);
          WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
          INSERT INTO event (id, at) SELECT i, i + 0.5 FROM n
          """)
    }
    try queue.read { db in
      let table = try #require(try SchemaReader(db).table(named: "event"))
      let declared = try StoreSchema([Event.self]).tables[0].columns
      let statements = try TableSample.statements(declared, of: table, db)
      #expect(statements.count == (definition.contains("oid") && definition.contains("_rowid_") ? 1 : 2))
      for sql in statements {
        let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
        // The query doesn't sort, and so reads no more rows than its limit.
        #expect(plan.count == 1 && plan[0].hasPrefix("SCAN "), "\(sql): \(plan)")
        #expect(try Row.fetchAll(db, sql: sql).count == TableSample.rowsAtEachEnd)
      }
    }
  }
}
