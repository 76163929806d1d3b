import GRDB
import Sanderling

/// A walk through the pages of a query, which continues while other tasks write.
struct PageWalk: Sendable {
  /// A place as a cursor's text, with the known facts about it.
  struct Kept: Sendable {
    let text: String
    /// The values that order the row at the place.
    let place: [StorageValue]
    /// Whether the cursor stands before the row, so that the row comes after it; false if it stands after the row. Nil
    /// for the row's own place.
    var isBeforeRow: Bool?
  }

  /// A problem with a page.
  struct Problem: Error {
    let text: String
  }

  let query: Int
  let spec: LiveQuerySpec
  let size: Int
  let isForward: Bool
  private let select: PagedRows.Select
  private var cursor: Kept?
  private(set) var isOver = false
  private var hasBegun = false
  /// Cursors that are kept for later reads.
  private var kept: [Kept] = []
  /// The rows that had the same place at every page so far, and all rows that pages contained, each with its place.
  private var steady: [[StorageValue]: [StorageValue]]?
  private var seen: [[StorageValue]: [StorageValue]] = [:]

  /// The declared types of the tables' columns.
  private var columnTypes: [String]?

  init(query: Int, _ spec: LiveQuerySpec, size: Int, isForward: Bool) {
    self.query = query
    self.spec = spec
    self.size = size
    self.isForward = isForward
    select = spec.pagedRows
  }

  /// Reads pages in a transaction and compares them.
  ///
  /// - Returns: The number of compared rows; nil if SQLite fails or no values identify the rows.
  mutating func advance(_ store: Store, _ tx: ReadTransaction, _ random: inout SeededGenerator) throws -> Int? {
    // If columns got other types, a place may belong to a row whose values are stored differently since, such as '1'
    // and 1. If a column has the app's collation, Swift can't compute the places of rows.
    guard let types = try? Self.columnTypes(tx), types == columnTypes ?? types, try !spec.isSortedByOwnCollation(tx),
      let all = select.read(tx), !all.hasUnreadableRow
    else {
      isOver = true
      return nil
    }
    columnTypes = types
    // Keys may be NULL in tables that the app created. Invalid UTF-8 bytes become one character in Swift, while SQLite
    // sorts by the bytes.
    guard !all.hasNullKey, all.hasPlaces else {
      isOver = true
      return all.mayLackPlaces ? nil : try unsorted(all)
    }
    var count = try turn(all, store, tx)
    if random.chance(50) { count += try look(all, store, tx, &random) }
    if let some = kept.randomElement(using: &random), random.chance(40) { try alter(some, &random) }
    if kept.count > 6 { kept.remove(at: random.number(0..<kept.count)) }
    return count
  }

  mutating func stop() { isOver = true }

  private static func columnTypes(_ tx: ReadTransaction) throws -> [String] {
    try String.fetchAll(
      tx.database,
      sql: """
        SELECT "table".name || ' ' || "column".name || ' ' || "column".type
        FROM sqlite_schema AS "table", pragma_table_info("table".name) AS "column" WHERE "table".type = 'table' ORDER BY 1
        """)
  }

  /// Finds rows that SQLite sorts differently from this code, or returns twice.
  private func unsorted(_ all: PagedRows) throws -> Int? {
    for (row, next) in zip(all.rows, all.rows.dropFirst()) where all.compare(row.place, next.place) > 0 {
      throw Problem(text: "SQLite puts \(row.place.map(\.literal)) before \(next.place.map(\.literal))")
    }
    return nil
  }

  // MARK: One page after the other

  private mutating func turn(_ all: PagedRows, _ store: Store, _ tx: ReadTransaction) throws -> Int {
    let current = Dictionary(all.rows.map { ($0.key, $0.place) }) { first, _ in first }
    steady = (steady ?? (spec.hasOwnValues ? current : [:])).filter { current[$0.key] == $0.value }
    let move: PageMove
    let range: Range<Int>
    switch (cursor, isForward) {
    case (nil, true): (move, range) = (.first, all.rows.indices)
    case (nil, false): (move, range) = (.last, all.rows.indices)
    case (let place?, true): (move, range) = (.after(try place.cursor), place.positionsAfter(all))
    case (let place?, false): (move, range) = (.before(try place.cursor), place.positionsBefore(all))
    }
    let expected = isForward ? range.prefix(size) : range.suffix(size)
    guard let page = try spec.page(move, size: size, in: store, tx) else { return 0 }
    try compare(page, all, expected, "the page \(move)")
    try compareEnds(page, cursor, expected, range)
    try note(all.rows[expected])
    let edge = isForward ? expected.last : expected.first
    let next = isForward ? page.next : page.previous
    isOver = next == nil || expected.isEmpty
    if isOver { try end(current) }
    if let next, let edge { cursor = Kept(text: next.string, place: all.rows[edge].place) }
    hasBegun = true
    keep(page, all, expected, from: cursor, isForward)
    return expected.count
  }

  /// A row comes only once, unless its place has changed since.
  private mutating func note(_ rows: ArraySlice<PagedRows.Row>) throws {
    for row in rows where spec.hasOwnValues {
      if seen[row.key] == row.place { throw Problem(text: "the row \(row.key.map(\.literal)) comes twice") }
      seen[row.key] = row.place
    }
  }

  /// Every row whose place stayed the same must have come between the first and the last page.
  private func end(_ current: [[StorageValue]: [StorageValue]]) throws {
    for (key, place) in steady ?? [:] where seen[key] != place {
      throw Problem(text: "the row \(key.map(\.literal)) was left out")
    }
  }

  /// A page must have a next cursor if there are more rows, and a previous cursor that leads back to its beginning.
  private func compareEnds(_ page: ReadPage, _ cursor: Kept?, _ rows: Range<Int>.SubSequence, _ range: Range<Int>)
    throws
  {
    let hasMore = rows.count < range.count
    let (onward, back) = isForward ? (page.next, page.previous) : (page.previous, page.next)
    if (onward != nil) != hasMore {
      throw Problem(text: "a page of \(rows.count) of \(range.count) rows leads \(onward == nil ? "nowhere" : "on")")
    }
    if (back != nil) != (cursor != nil) {
      throw Problem(text: "a page from \(cursor == nil ? "the end" : "a place") leads \(back == nil ? "not " : "")back")
    }
  }

  private func compare(_ page: ReadPage, _ all: PagedRows, _ expected: Range<Int>, _ what: String) throws {
    let rows = all.rows[expected].map(\.values)
    guard spec.areSame(page.rows, rows) else {
      throw Problem(
        text:
          "\(what), of \(size) rows, is \(page.rows.map { $0.map(\.literal) }), and not \(rows.map { $0.map(\.literal) })"
      )
    }
    if (page.start == nil) != rows.isEmpty || (page.end == nil) != rows.isEmpty {
      throw Problem(text: "\(what) of \(rows.count) rows has \(page.start == nil ? "no " : "a ")start")
    }
  }

  /// Keeps the places of a page.
  ///
  /// - Parameters:
  ///   - origin: The place from which the page was read; nil for an end of the rows, and for a row.
  ///   - isForward: Whether the page was read forward from there.
  private mutating func keep(
    _ page: ReadPage, _ all: PagedRows, _ rows: Range<Int>, from origin: Kept?, _ isForward: Bool
  ) {
    if let start = page.start, let first = rows.first {
      kept.append(Kept(text: start.string, place: all.rows[first].place))
    }
    if let end = page.end, let last = rows.last { kept.append(Kept(text: end.string, place: all.rows[last].place)) }
    // If a page is empty, the way back includes the row at the place.
    guard rows.isEmpty, let origin, origin.isBeforeRow == nil else { return }
    if isForward, let previous = page.previous {
      kept.append(Kept(text: previous.string, place: origin.place, isBeforeRow: false))
    } else if !isForward, let next = page.next {
      kept.append(Kept(text: next.string, place: origin.place, isBeforeRow: true))
    }
  }

  // MARK: Pages at any place

  private mutating func look(
    _ all: PagedRows, _ store: Store, _ tx: ReadTransaction, _ random: inout SeededGenerator
  ) throws -> Int {
    let move: PageMove
    let expected: Range<Int>
    var origin: Kept?
    let isForward = random.chance(50)
    switch random.number(0..<4) {
    case 0, 1:
      guard let place = kept.randomElement(using: &random) else { return 0 }
      origin = place
      if isForward {
        (move, expected) = (.after(try place.cursor), place.positionsAfter(all).prefix(size))
      } else {
        (move, expected) = (.before(try place.cursor), place.positionsBefore(all).suffix(size))
      }
    case 2:
      guard let position = all.rows.indices.randomElement(using: &random) else { return 0 }
      (move, expected) = (.startingAt(all.rows[position].key), position..<min(position + size, all.rows.count))
    default:
      guard let position = all.rows.indices.randomElement(using: &random) else { return 0 }
      let first = max(0, position - (size - 1) / 2)
      (move, expected) = (.around(all.rows[position].key), first..<min(first + size, all.rows.count))
    }
    guard let page = try spec.page(move, size: size, in: store, tx) else { return 0 }
    try compare(page, all, expected, "the page \(move)")
    keep(page, all, expected, from: origin, isForward)
    return expected.count
  }

  /// A truncated or altered text is not a cursor.
  private func alter(_ place: Kept, _ random: inout SeededGenerator) throws {
    var text = Array(place.text)
    if random.chance(50) {
      let position = random.number(0..<text.count)
      let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_").filter {
        $0 != text[position]
      }
      text[position] = random.element(of: digits)
    } else {
      text.removeLast(random.number(1..<text.count + 1))
    }
    do {
      _ = try PageCursor(String(text))
    } catch is PageError {
      return
    }
    throw Problem(text: "the cursor \(place.text) was altered to \(String(text)), which is taken for one")
  }

  /// Another query must refuse a cursor of this walk, unless both have the same orderings and tables.
  func offer(to other: LiveQuerySpec, _ store: Store, _ tx: ReadTransaction) throws {
    guard let place = kept.last, other.mayBePaged, !hasSameOrder(as: other) else { return }
    do {
      _ = try other.page(.after(try place.cursor), size: size, in: store, tx)
    } catch {
      return
    }
    throw Problem(text: "a cursor is taken by a query of other orderings: \(other.description)")
  }

  private func hasSameOrder(as other: LiveQuerySpec) -> Bool {
    // A repeated term adds nothing to an ordering. An explicit position of NULLs may equal the default.
    func significant(_ orderings: [Ordering]) -> [Ordering] {
      orderings.indices.filter { index in !orderings[..<index].contains { $0.term == orderings[index].term } }.map {
        Ordering(
          term: orderings[$0].term, isDescending: orderings[$0].isDescending,
          nulls: orderings[$0].putsNullsLast ? .last : .first)
      }
    }
    return other.statement.source == spec.statement.source
      && significant(select.orderings) == significant(other.pagedRows.orderings)
  }
}

extension PageWalk.Kept {
  /// The cursor, read back from its stored text.
  fileprivate var cursor: PageCursor {
    get throws {
      do {
        return try PageCursor(text)
      } catch {
        throw PageWalk.Problem(text: "the cursor \(text) can't be read again: \(error)")
      }
    }
  }

  fileprivate func positionsAfter(_ all: PagedRows) -> Range<Int> {
    all.positions(after: place, isInclusive: isBeforeRow == true)
  }

  fileprivate func positionsBefore(_ all: PagedRows) -> Range<Int> {
    all.positions(before: place, isInclusive: isBeforeRow == false)
  }
}
