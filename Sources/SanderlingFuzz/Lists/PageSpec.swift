import GRDB
import Sanderling
import SanderlingSQLite

extension LiveQuerySpec {
  /// Whether the query may be read in pages. A query that depends on SQLite's plan or on an index has no places to
  /// compare.
  var mayBePaged: Bool {
    guard case .rows = form, case .table = statement.source, PlanDependence(self) == nil, !readsRelevance else {
      return false
    }
    if statement.limit != nil || statement.offset > 0 { return false }
    let isOrderedByGroups = statement.orderings.allSatisfy { ordering in
      if case .summary = ordering.term { true } else { statement.groups.contains(ordering.term) }
    }
    if statement.isGrouped { return !statement.groups.isEmpty && !statement.isDistinct && isOrderedByGroups }
    return !statement.isDistinct || statement.orderings.allSatisfy { statement.columns.contains($0.term) }
  }

  /// The orderings that determine a row's place in the pages: the query's order, then all terms that identify rows.
  fileprivate var pageOrderings: [Ordering] {
    let all = totallyOrdered.statement.orderings
    let own = all.dropLast(identity.count)
    // Later orderings identify no rows, and may change without moving a row.
    let complete = own.indices.first { end in
      identity.allSatisfy { term in own[...end].contains { $0.term == term } }
    }
    return (complete.map { own[...$0] } ?? own) + all.suffix(identity.count)
  }

  /// Whether rows are sorted by a column to which the app has given a collation of its own.
  func isSortedByOwnCollation(of world: World) -> Bool {
    isSorted { column in
      world.tables.contains { table in
        table.name == column.owner.table.name
          && table.columns.contains { $0.name == column.definition.name && $0.collation == World.ownCollation }
      }
    }
  }

  /// Whether rows are sorted by a column with a collation of the app in the transaction's snapshot. A migration may
  /// have given the collation to a table. Views have the collations of their tables' columns.
  func isSortedByOwnCollation(_ tx: ReadTransaction) throws -> Bool {
    let tables = try String.fetchAll(
      tx.database,
      sql: """
        SELECT sql FROM sqlite_schema WHERE sql LIKE '%COLLATE \(World.ownCollation)%'
        UNION ALL SELECT sql FROM sqlite_temp_schema WHERE sql LIKE '%COLLATE \(World.ownCollation)%'
        """)
    return isSorted { column in
      tables.flatMap { $0.split(separator: ",") }.contains {
        $0.contains("\(column.definition.name.quotedIdentifier) ") && $0.contains("COLLATE \(World.ownCollation)")
      }
    }
  }

  private func isSorted(by isSuch: (ColumnTerm) -> Bool) -> Bool {
    pageOrderings.contains { ordering in
      if case .column(let column) = ordering.term { isSuch(column) } else { false }
    }
  }

  /// Whether a row's values come from this row alone. For grouped or distinct values that SQLite finds equal, any of
  /// their rows may give the value.
  var hasOwnValues: Bool { !statement.isGrouped && !statement.isDistinct }

  /// Whether rows are equal, considering determined values only.
  func areSame(_ lhs: [[StorageValue]], _ rhs: [[StorageValue]]) -> Bool {
    if lhs == rhs { return true }
    guard !hasOwnValues, lhs.count == rhs.count else { return false }
    let columns = statement.columns
    return zip(lhs, rhs).allSatisfy { lhs, rhs in
      columns.indices.allSatisfy { columns[$0].isEqual(lhs[$0], rhs[$0]) }
    }
  }

  /// The query of all rows that the pages together must have.
  var pagedRows: PagedRows.Select { PagedRows.Select(self) }
}

/// All rows of a query in the order of its pages, read without keysets.
struct PagedRows: Sendable {
  struct Row: Sendable {
    /// The values that order the row. The last of them identify the row.
    let place: [StorageValue]
    let values: [StorageValue]
    let key: [StorageValue]
  }

  /// Reads all rows.
  struct Select: Sendable {
    let orderings: [Ordering]
    private let places: FreshSelect
    private let values: FreshSelect
    private let keyCount: Int

    fileprivate init(_ spec: LiveQuerySpec) {
      orderings = spec.pageOrderings
      keyCount = spec.identity.count
      var spec = spec
      spec.statement.orderings = orderings
      values = FreshSelect(spec)
      spec.reading = .stored
      // DISTINCT applies to the selected columns, which include all ordering terms.
      if !spec.statement.isDistinct { spec.statement.columns = orderings.map(\.term) }
      let columns = spec.statement.columns
      positions = orderings.map { ordering in columns.firstIndex(of: ordering.term) ?? 0 }
      places = FreshSelect(spec)
    }

    /// The positions of the columns that order the rows.
    private let positions: [Int]

    /// The most steps of SQLite for all rows. Each round reads them many times.
    private static let mostSteps = 20_000_000

    /// - Returns: Nil when SQLite fails, or has too much work.
    func read(_ tx: ReadTransaction) -> PagedRows? {
      let found = tx.database.interrupting(after: Self.mostSteps) {
        (places: self.places.expectation(tx).rows, values: self.values.expectation(tx).rows)
      }
      guard let places = found.places, let values = found.values, places.count == values.count else { return nil }
      return PagedRows(
        rows: zip(places, values).map { columns, values in
          let place = positions.map { columns[$0] }
          return Row(place: place, values: values, key: Array(place.suffix(keyCount)))
        }, orderings: orderings)
    }
  }

  let rows: [Row]
  private let orderings: [Ordering]

  /// Whether no two rows have the same place and no key is NULL.
  var hasPlaces: Bool {
    zip(rows, rows.dropFirst()).allSatisfy { compare($0.place, $1.place) < 0 }
  }

  /// Whether a row may have no place: its key is NULL, or a text that orders it is not UTF-8.
  var mayLackPlaces: Bool {
    hasNullKey
      || rows.contains { row in
        row.place.contains { if case .text(let text) = $0 { text.contains("\u{FFFD}") } else { false } }
      }
  }

  /// Whether a row can't be read, so that its page can't be read either.
  var hasUnreadableRow: Bool { rows.contains(where: \.values.isUnreadable) }

  var hasNullKey: Bool { rows.contains { $0.key.contains(.null) } }

  /// - Returns: Less than 0 if the first place comes before the second one.
  func compare(_ lhs: [StorageValue], _ rhs: [StorageValue]) -> Int {
    for (index, ordering) in orderings.enumerated() {
      let (lhs, rhs) = (lhs[index], rhs[index])
      if lhs == .null || rhs == .null {
        if lhs == rhs { continue }
        return (lhs == .null) == ordering.putsNullsLast ? 1 : -1
      }
      let order = SQLOrder.compare(lhs, rhs, ordering.term.ownCollation)
      if order != 0 { return ordering.isDescending ? -order : order }
    }
    return 0
  }

  /// The rows after a place.
  ///
  /// - Parameter isInclusive: Whether the row at the place is included.
  func positions(after place: [StorageValue], isInclusive: Bool) -> Range<Int> {
    let start = rows.firstIndex { row in
      let order = compare(row.place, place)
      return isInclusive ? order >= 0 : order > 0
    }
    return (start ?? rows.count)..<rows.count
  }

  /// The rows before a place.
  func positions(before place: [StorageValue], isInclusive: Bool) -> Range<Int> {
    0..<positions(after: place, isInclusive: !isInclusive).lowerBound
  }
}

extension Ordering {
  /// Whether NULLs come after all values. Without an explicit position they do so in descending order.
  var putsNullsLast: Bool { nulls.map { $0 == .last } ?? isDescending }
}

extension Database {
  /// Runs reads, and has them fail after a number of SQLite's steps. The number is the same on each machine.
  fileprivate func interrupting<Value>(after count: Int, _ body: () -> Value) -> Value {
    let interval = 100_000
    let left = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    left.initialize(to: count / interval)
    defer { left.deallocate() }
    sqlite3_progress_handler(
      sqliteConnection, Int32(interval),
      { context in
        guard let left = context?.assumingMemoryBound(to: Int.self) else { return 0 }
        left.pointee -= 1
        return left.pointee < 0 ? 1 : 0
      }, left)
    defer { sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
    return body()
  }
}
