import Foundation
import SanderlingSQLite
import Testing

@testable import Sanderling

/// The query for a record by its key, and the values that the key binds.
@Suite struct KeyQueryTests {
  enum Grade: String, SortableColumnValue { case high = "é", low }

  enum Cents: ColumnCoding {
    typealias Value = Decimal
    static var columnType: Sanderling.ColumnType { .integer }
    static func encode(_ value: Decimal) throws -> StorageValue {
      .integer(NSDecimalNumber(decimal: value * 100).int64Value)
    }
    static func decode(_ stored: StorageValue) throws -> Decimal { try Decimal(Int64.decode(stored)) / 100 }
  }

  @Record struct Everything: Hashable {
    @PrimaryKey var flag: Bool
    @PrimaryKey var small: UInt8
    @PrimaryKey var large: Int64
    @PrimaryKey var ratio: Double
    @PrimaryKey var part: Float
    @PrimaryKey var text: String
    @PrimaryKey var data: Data
    @PrimaryKey var at: Date
    @PrimaryKey @Stored(as: .dateText) var day: Date
    @PrimaryKey @Stored(as: .unixMilliseconds) var moment: Date
    @PrimaryKey var uuid: UUID
    @PrimaryKey @Stored(as: .uuidText) var name: UUID
    @PrimaryKey var link: URL
    @PrimaryKey var amount: Decimal
    @PrimaryKey @Stored(as: Cents.self) var price: Decimal
    @PrimaryKey var grade: Grade
    @PrimaryKey @Stored(as: .json) var tags: [String]
  }

  /// Returns the values of a statement's parameters after `body` bound them.
  private func bound(_ count: Int, _ body: (ParameterBinder) throws -> Void) throws -> [StorageValue] {
    var connection: OpaquePointer?
    defer { sqlite3_close_v2(connection) }
    try #require(sqlite3_open(":memory:", &connection) == SQLITE_OK)
    var statement: OpaquePointer?
    let sql = "SELECT " + Array(repeating: "?", count: count).joined(separator: ", ")
    try #require(sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    try body(ParameterBinder(statement: #require(statement)))
    try #require(sqlite3_step(statement) == SQLITE_ROW)
    let row = ResultRow(statement: try #require(statement))
    return (0..<count).map { row.storageValue(at: Int32($0)) }
  }

  private func constants(_ condition: Term?) -> [StorageValue] {
    switch condition {
    case .binary(.and, let lhs, let rhs)?: constants(lhs) + constants(rhs)
    case .binary(.equal, .column, .constant(let value))?: [value]
    default: []
    }
  }

  @Test(arguments: ["", "a", "é", "e\u{301}", "a\u{0}b", "🐦"])
  func queryHasTheBoundValuesOfItsKey(text: String) throws {
    let record = Everything(
      flag: true, small: 255, large: .min, ratio: -0.0, part: 0.1, text: text, data: Data(text.utf8),
      at: Date(timeIntervalSinceReferenceDate: 0.1), day: Date(timeIntervalSince1970: 1_700_000_000.123),
      moment: Date(timeIntervalSince1970: 1_700_000_000.123), uuid: UUID(1), name: UUID(2),
      link: URL(filePath: "/a"), amount: 12.5, price: 3.25, grade: .high, tags: [text])
    let key = try record.key
    let count = Everything.table.key.count
    let values = try ParameterBinder.collecting(count) { try Everything._bind(key: key, to: $0, from: 1) }
    #expect(try values == bound(count) { try Everything._bind(key: key, to: $0, from: 1) })
    #expect(try values == record.storageValues())
    #expect(constants(Everything.find(key).statement.condition) == values)
  }

  @Test func valuesOfBatchesAreCollected() throws {
    let projects = (1...3).map { Project(id: UUID($0), name: "\($0)", parentID: nil) }
    let count = Project.table.columns.count * projects.count
    let values = try ParameterBinder.collecting(count) { try Project._bind(projects[...], to: $0) }
    #expect(try values == projects.flatMap { try $0.storageValues() })
    #expect(throws: ValueError.self) {
      try ParameterBinder.collecting(count - 1) { try Project._bind(projects[...], to: $0) }
    }
  }

  @Test func valueWithoutStorageMakesTheQueryInvalid() throws {
    let key = Everything.Key(
      flag: true, small: 0, large: 0, ratio: .nan, part: 0, text: "", data: Data(), at: Date(), day: Date(),
      moment: Date(), uuid: UUID(), name: UUID(), link: URL(filePath: "/a"), amount: 0, price: 0, grade: .low, tags: [])
    #expect(throws: StoreError.self) { try Everything.find(key).sql }
  }

  @Test func keyQueriesOpenNoDatabase() throws {
    let counter = OpenCounter()
    defer { counter.stop() }
    for number in UInt64(0)..<100 { _ = Project.find(UUID(number)) }
    #expect(counter.count == 0)
    _ = try bound(1) { try $0.bind(integer: 1, at: 1) }
    #expect(counter.count == 1)
  }
}

/// Counts the connections that this thread opens, by an extension that SQLite loads into each connection. Other tests
/// open theirs on other threads.
private struct OpenCounter {
  private static let key = "openedConnections"
  private typealias Extension =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?) -> Int32

  /// The function that SQLite calls with the new connection, the place of an error message, and SQLite's functions.
  private static let entry: Extension = { _, _, _ in
    let count = Thread.current.threadDictionary[key] as? Int ?? 0
    Thread.current.threadDictionary[key] = count + 1
    return SQLITE_OK
  }

  /// The same function in the form that SQLite declares, without parameters. SQLite calls it with them.
  private static var anyEntry: @convention(c) () -> Void {
    unsafeBitCast(entry, to: (@convention(c) () -> Void).self)
  }

  var count: Int { Thread.current.threadDictionary[Self.key] as? Int ?? 0 }

  init() {
    Thread.current.threadDictionary[Self.key] = 0
    sqlite3_auto_extension(Self.anyEntry)
  }

  func stop() {
    sqlite3_cancel_auto_extension(Self.anyEntry)
  }
}
