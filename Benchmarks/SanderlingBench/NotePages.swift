import Foundation
import GRDB
import Sanderling
import SanderlingSQLite

/// Pages of 50 notes at both ends of many notes, in read transactions, beside the same pages by hand and by LIMIT with
/// OFFSET.
struct NotePages {
  private let store: Store
  private let connection: CConnection
  private let pool: DatabasePool
  private let count: Int
  private let pages: Pages<Note, NoteRow>
  /// The row before a page that is nine tenths down the list, and the row before the last page.
  private let deep: Place
  /// The rows before pages at other depths.
  private let places: [Place]

  private struct Place {
    /// The number of rows before the page.
    let depth: Int
    let cursor: PageCursor
    let row: NoteRow
  }

  /// - Parameter depths: The numbers of rows before further pages. Depths beyond nine tenths of the notes are left out.
  init(path: String, count: Int, depths: [Int]) async throws {
    let store = try await Store.open(.path(path), schema: [Note.self])
    let pages = store.pages(of: Note.order { $0.changedAt.descending }.select(NoteRow.self), size: 50)
    func place(_ depth: Int) async throws -> Place {
      let rows = try await store.fetch(
        Note.order { ($0.changedAt.descending, $0.id.descending) }.limit(1, offset: depth - 1).select(NoteRow.self))
      guard let row = rows.first else { throw BenchmarkError("no note before a page at \(depth)") }
      return Place(depth: depth, cursor: try await pages.cursor(of: row.id), row: row)
    }
    let deepest = count / 10 * 9 + 1
    deep = try await place(deepest)
    var places: [Place] = []
    for depth in depths where depth < deepest { places.append(try await place(depth)) }
    self.places = places
    self.store = store
    self.pages = pages
    self.count = count
    connection = try CConnection(path)
    pool = try DatabasePool(path: path)
  }

  var cases: [BenchmarkCase] {
    let (store, pages, deep, connection, pool) = (store, pages, deep, connection, pool)
    func byOffset(_ offset: Int) -> (name: String, run: BenchmarkCase.Contender) {
      (
        "GRDB LIMIT/OFFSET",
        {
          try seconds {
            let rows = try pool.read { db in
              let sql = "SELECT id, title, changedAt FROM note ORDER BY changedAt DESC, id DESC LIMIT 50 OFFSET ?"
              let statement = try db.cachedStatement(sql: sql)
              return try Array(
                Row.fetchCursor(statement, arguments: [offset]).map { row in
                  NoteRow(id: row[0], title: row[1], changedAt: Date(timeIntervalSinceReferenceDate: row[2]))
                })
            }
            guard rows.count == 50 else { throw BenchmarkError("\(rows.count) rows in a page") }
          }
        }
      )
    }
    // The pages are read one after the other, as by a client that turns pages. A page right after LIMIT/OFFSET has read
    // a million rows would find cold processor caches.
    @Sendable func each(_ turn: () throws -> Void) throws -> Double {
      try seconds { for _ in 0..<20 { try turn() } } / 20
    }
    @Sendable func checked(_ page: Page<NoteRow>) throws {
      guard page.rows.count == 50 else { throw BenchmarkError("\(page.rows.count) rows in a page") }
    }
    func after(_ place: Place, _ name: String) -> BenchmarkCase {
      BenchmarkCase(
        name: name, unit: .microseconds,
        sanderling: { try each { try checked(store.readBlocking { try $0.page(of: pages, after: place.cursor) }) } },
        limit: { try each { try Self.byHand(connection, place.row) } }, peers: [byOffset(place.depth)])
    }
    return [
      BenchmarkCase(
        name: "\(count) rows: first page", unit: .microseconds,
        sanderling: { try each { try checked(store.readBlocking { try $0.firstPage(of: pages) }) } },
        limit: { try each { try Self.byHand(connection, nil) } }, peers: [byOffset(0)]),
      after(deep, "\(count) rows: page at nine tenths"),
      BenchmarkCase(
        name: "\(count) rows: page before nine tenths", unit: .microseconds,
        sanderling: { try each { try checked(store.readBlocking { try $0.page(of: pages, before: deep.cursor) }) } },
        limit: { try each { try Self.byHand(connection, deep.row, isBackward: true) } },
        peers: [byOffset(deep.depth - 51)]),
    ] + places.map { after($0, "\(count) rows: page after \($0.depth) rows") }
  }

  /// One statement for each prefix of the ordering, prepared for the page, as in an app whose SQL is written by hand.
  private static func byHand(_ connection: CConnection, _ row: NoteRow?, isBackward: Bool = false) throws {
    let (order, sign) = isBackward ? ("ASC", ">") : ("DESC", "<")
    let columns = "SELECT id, title, changedAt FROM note"
    let statements =
      row == nil
      ? ["\(columns) ORDER BY changedAt DESC, id DESC LIMIT 51"]
      : [
        "\(columns) WHERE changedAt = ?1 AND id \(sign) ?2 ORDER BY id \(order) LIMIT 51",
        "\(columns) WHERE changedAt \(sign) ?1 ORDER BY changedAt \(order), id \(order) LIMIT ?3",
      ]
    var rows: [NoteRow] = []
    for sql in statements where rows.count < 51 {
      let statement = try connection.prepare(sql)
      defer { sqlite3_finalize(statement) }
      if let row {
        sqlite3_bind_double(statement, 1, row.changedAt.timeIntervalSinceReferenceDate)
        sqlite3_bind_int64(statement, 2, row.id)
        sqlite3_bind_int64(statement, 3, Int64(51 - rows.count))
      }
      while sqlite3_step(statement) == SQLITE_ROW {
        rows.append(
          NoteRow(
            id: sqlite3_column_int64(statement, 0), title: text(statement, 1),
            changedAt: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 2))))
      }
    }
    guard rows.count == 51 else { throw BenchmarkError("\(rows.count) rows in a page") }
  }
}
