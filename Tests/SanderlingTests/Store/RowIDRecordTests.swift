import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Records that read tables without a key by the rowid, and columns of any value.
@Suite struct RowIDRecordTests {
  @Record(view: "log") struct Line: Equatable {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    var value: StorageValue?
  }

  @Record(view: "page") struct Page {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    var name: String
  }

  @Record struct Setting: Equatable {
    @PrimaryKey var name: String
    var value: StorageValue
    var other: StorageValue?
  }

  private func queue(_ sql: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: sql) }
    return queue
  }

  @Test @MainActor func rowsAreReadByTheRowID() async throws {
    let queue = try queue("CREATE TABLE log (value); INSERT INTO log VALUES (1), ('a'), (0.5), (X'00'), (NULL)")
    let store = try await Store.open(queue, schema: [Line.self])
    #expect(
      try await store.fetch(Line.order { $0.rowID }) == [
        Line(rowID: 1, value: .integer(1)), Line(rowID: 2, value: .text("a")), Line(rowID: 3, value: .real(0.5)),
        Line(rowID: 4, value: .blob(Data([0]))), Line(rowID: 5, value: nil),
      ])
    #expect(try await store.fetch(Line.self, key: 2) == Line(rowID: 2, value: .text("a")))
    #expect(try await store.count(Line.where { $0.value == nil }) == 1)
    #expect(try await store.fetch(Line.where { $0.value == .text("a") }.select { $0.rowID }) == [2])
    let list = store.liveList(Line.order { $0.rowID.descending })
    _ = list.rows
    await store.settled()
    #expect(list.elements.map(\.rowID) == [5, 4, 3, 2, 1])
    try await store.write("add") { try $0.execute("INSERT INTO log VALUES (9)") }
    await store.settled()
    #expect(list.elements.map(\.rowID) == [6, 5, 4, 3, 2, 1])
    await #expect(throws: StoreError.self) {
      try await store.write("change") { try $0.update(Line(rowID: 1, value: nil)) }
    }
  }

  /// Views and tables without a rowid have none to read.
  @Test(arguments: [
    "CREATE TABLE source (name TEXT); CREATE VIEW page AS SELECT name FROM source",
    "CREATE TABLE page (name TEXT PRIMARY KEY) WITHOUT ROWID",
  ])
  func withoutARowIDOpeningIsRefused(sql: String) async throws {
    let queue = try queue(sql)
    let error = await #expect(throws: StoreError.self) { try await Store.open(queue, schema: [Page.self]) }
    #expect("\(try #require(error))".contains("the view has no column \"rowid\""))
  }

  @Test func aColumnOfAnyValueKeepsEachValue() async throws {
    let store = try Store(inMemory: [Setting.self])
    let values: [StorageValue] = [
      .integer(7), .integer(.min), .real(-0.0), .real(1), .text("0012"), .text(""), .blob(Data()),
      .blob(Data([0, 255])),
    ]
    let settings = values.enumerated().map { number, value in
      Setting(name: "\(number)", value: value, other: number % 2 == 0 ? nil : value)
    }
    try await store.write("add") { tx in
      for setting in settings { try tx.insert(setting) }
    }
    #expect(try await store.fetch(Setting.order { $0.name }) == settings)
    for setting in settings {
      let found = try await store.fetch(Setting.where { $0.value == setting.value })
      #expect(found.contains(setting))
    }
    let types = try await store.writer.read {
      try String.fetchAll($0, sql: "SELECT typeof(value) FROM setting ORDER BY name")
    }
    #expect(types == values.map(\.storageClassName))
  }
}
