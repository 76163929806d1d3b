import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Random writes of several kinds, after which the history leads from each older state to the newest.
@Suite struct HistoryReplayTests {
  /// A key that SQLite chooses.
  @Record(indexes: [.unique(on: \.code)])
  struct Item: Hashable {
    var id: Int64?
    var code: String?
    @References(Shelf.self, onDelete: .cascade) var shelf: String?
    var amount: Int
    static let changeHistory = ChangeHistory<Item>.allColumns
  }

  /// A key whose values can be equal by its collation, and differ.
  @Record
  struct Shelf: Hashable {
    @Stored(collation: .nocase) @PrimaryKey var name: String
    var size: Double
    static let changeHistory = ChangeHistory<Shelf>.allColumns
  }

  @Record
  struct Place: Hashable {
    @PrimaryKey var x: Int
    @PrimaryKey var y: String
    var note: Data?
    static let changeHistory = ChangeHistory<Place>.allColumns
  }

  private struct Cell: Hashable {
    let table: String
    let key: RowKey
  }

  private typealias Rows = [Cell: [String: StorageValue]]

  private let folder = TemporaryFolder()

  @Test(arguments: [false, true]) func replayingLeadsToTheNewestState(recursiveTriggers: Bool) async throws {
    var random = SeededGenerator()
    let path = folder.path("replay.sqlite")
    var configuration = Store.defaultConfiguration
    configuration.prepareDatabase { db in
      if recursiveTriggers { try db.execute(sql: "PRAGMA recursive_triggers = ON") }
    }
    let store = try Store(
      path: path, schema: [Item.self, Shelf.self, Place.self], configuration: configuration, liveInterval: .zero)
    let other = try DatabaseQueue(path: path, configuration: configuration)
    var states: [(token: ChangeToken, rows: Rows)] = []
    for _ in 0..<120 {
      states.append((try await store.historyToken(), try await rows(store)))
      let statements = (0..<Int.random(in: 1...4, using: &random)).map { _ in statement(&random) }
      let run: @Sendable (Database) throws -> Void = { db in
        // A statement that violates a constraint is undone, and the transaction continues.
        for sql in statements {
          do { try db.execute(sql: sql) } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT
          {}
        }
      }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try await other.write(run)
      case 1: try await store.writer.write(run)
      case 2:
        try? await store.write("undone") { tx in
          try run(tx.database)
          throw CancellationError()
        }
      default: try await store.write("write") { try run($0.database) }
      }
    }
    let newest = try await rows(store)
    for (token, rows) in states {
      var replayed = rows
      for try await change in store.history(after: token) {
        let cell = Cell(table: change.table, key: RowKey(change.key))
        // Each change begins where the change before it ended.
        #expect(replayed[cell] == change.old, "\(change) in \(random)")
        replayed[cell] = change.new
      }
      #expect(replayed == newest, "\(random)")
    }
  }

  private func statement(_ random: inout SeededGenerator) -> String {
    let verb = ["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE"].randomElement(using: &random) ?? ""
    let conflict = ["", " OR REPLACE", " OR IGNORE"].randomElement(using: &random) ?? ""
    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    func name() -> String { "'" + (["a", "A", "b", "é"].randomElement(using: &random) ?? "") + "'" }
    switch number(0..<12) {
    case 0, 1: return "\(verb) INTO shelf VALUES (\(name()), \(number(0..<5)))"
    case 2, 3:
      let id = number(0..<3) == 0 ? "NULL" : "\(number(1..<9))"
      return
        "\(verb) INTO item (id, code, shelf, amount) VALUES (\(id), \(name()), (SELECT max(name) FROM shelf), \(number(0..<9)))"
    case 4: return "\(verb) INTO place VALUES (\(number(0..<4)), \(name()), \(number(0..<2) == 0 ? "NULL" : "X'0102'"))"
    case 5: return "UPDATE\(conflict) item SET amount = amount + 1, code = \(name()) WHERE id <= \(number(0..<9))"
    case 6: return "UPDATE\(conflict) item SET id = id + \(number(0..<3)) WHERE id = \(number(1..<9))"
    case 7: return "UPDATE\(conflict) shelf SET name = \(name()), size = size * 2 WHERE name = \(name())"
    case 8: return "UPDATE\(conflict) place SET x = x + 1, y = \(name()) WHERE x = \(number(0..<4))"
    case 9: return "DELETE FROM shelf WHERE name = \(name())"
    case 10: return "DELETE FROM item WHERE id % 3 = \(number(0..<3))"
    default:
      return "INSERT INTO shelf VALUES (\(name()), 1) ON CONFLICT (name) DO UPDATE SET size = size + 1"
    }
  }

  private func rows(_ store: Store) async throws -> Rows {
    try await store.read { tx in
      var rows: Rows = [:]
      for record in [RecordType(Item.self), RecordType(Shelf.self), RecordType(Place.self)] {
        let table = record.table
        for row in try Row.fetchAll(tx.database, sql: "SELECT * FROM \(table.name.quotedIdentifier)") {
          let values = Dictionary(
            uniqueKeysWithValues: table.columns.map { ($0.name, StorageValue(row[$0.name] as DatabaseValue)) })
          rows[Cell(table: table.name, key: RowKey(table.keyColumns.compactMap { values[$0.name] }))] = values
        }
      }
      return rows
    }
  }
}

extension StorageValue {
  fileprivate init(_ value: DatabaseValue) {
    self =
      switch value.storage {
      case .null: .null
      case .int64(let integer): .integer(integer)
      case .double(let real): .real(real)
      case .string(let text): .text(text)
      case .blob(let data): .blob(data)
      }
  }
}
