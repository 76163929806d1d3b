import Foundation
import Testing

@testable import Sanderling

/// A record with columns of many types, few different values, many NULLs and unusual numbers.
@Record
struct Sheet: Hashable {
  var id: Int
  var binderID: Int?
  @Stored(collation: .nocase) var name: String
  var title: String?
  var weight: Double?
  var size: Int?
  var stamp: Data?
  var isOpen: Bool
  static let binder = belongsTo(Binder.self, by: \.binderID)

  static func random(_ id: Int, using generator: inout SeededGenerator) -> Sheet {
    func one<Value>(of values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
    return Sheet(
      id: id, binderID: one(of: [nil, 1, 2, 3, 9]), name: one(of: ["", "a", "A", "b", "B\0", "é", "e\u{301}"]),
      title: one(of: [nil, nil, "", "x", "X", "\u{FFFD}", "ü"]),
      weight: one(of: [nil, -0.0, 0.0, 1, 0.1, -.infinity, .infinity, .leastNonzeroMagnitude, 1e300]),
      size: one(of: [nil, 0, 1, -1, .max, .min, .max - 1]),
      stamp: one(of: [nil, Data(), Data([0]), Data([0, 255]), Data([255])]), isOpen: one(of: [true, false]))
  }

  /// Returns random keys of an ordering. Different rows may be equal in all of them.
  static func randomOrderings(using generator: inout SeededGenerator) -> [Ordering] {
    let fields = Sheet.fields
    let keys: [Ordering] = [
      fields.id.ascending, fields.name.ascending, fields.name.collated(.binary).ascending, fields.title.ascending,
      fields.weight.ascending, fields.size.ascending, Ordering(term: fields.stamp.term),
      Ordering(term: fields.isOpen.term),
      fields.binder.label.ascending, fields.binder.rank.ascending, fields.binder.sheets.count.ascending,
      fields.binder.sheets.max(\.size).ascending, fields.name.lowercased().ascending,
      (fields.weight * 2).ascending, Field<String?>.raw("substr(\(fields.title), 1, 1)").ascending,
    ]
    return (0..<Int.random(in: 0...4, using: &generator)).map { _ in
      let key = keys[Int.random(in: 0..<keys.count, using: &generator)]
      let ordering = Bool.random(using: &generator) ? key : key.reversed
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: return ordering.nullsFirst
      case 1: return ordering.nullsLast
      default: return ordering
      }
    }
  }
}

@Record
struct Binder: Hashable {
  var id: Int
  var label: String?
  var rank: Int?
  static let sheets = hasMany(Sheet.self, by: \.binderID)
}

/// A record whose key is made of two columns.
@Record
struct Mark: Hashable {
  @PrimaryKey var sheetID: Int
  @PrimaryKey @Stored(collation: .nocase) var color: String
  var strength: Int?
}

extension Store {
  static func sheets(_ count: Int, using generator: inout SeededGenerator) async throws -> Store {
    let store = try Store(inMemory: [Binder.self, Sheet.self, Mark.self])
    let sheets = (0..<count).map { Sheet.random($0, using: &generator) }
    let marks = (0..<count).flatMap { id in
      ["red", "Blue", "green"].prefix(Int.random(in: 0...3, using: &generator)).map { color in
        Mark(sheetID: id, color: color, strength: [nil, 1, 2].randomElement(using: &generator) ?? nil)
      }
    }
    try await store.write("fill") { tx in
      try tx.insert(contentsOf: [
        Binder(id: 1, label: "b", rank: nil), Binder(id: 2, label: nil, rank: 1), Binder(id: 3, label: "a", rank: 1),
      ])
      try tx.insert(contentsOf: sheets)
      try tx.insert(contentsOf: marks)
    }
    return store
  }
}

extension Page {
  /// Returns the page with cursors that were converted to text and back.
  func sent() throws -> Page {
    func sent(_ cursor: PageCursor?) throws -> PageCursor? { try cursor.map { try PageCursor($0.string) } }
    return Page(
      rows: rows, next: try sent(next), previous: try sent(previous), start: try sent(start), end: try sent(end))
  }
}

extension Store {
  /// Expects that all ways through the pages of a query return the rows of one plain fetch. Rows are compared by their
  /// text.
  func expectPages<Root, Output>(
    of query: Selection<Root, Output>, size: Int, _ comment: Testing.Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let pages = pages(of: query, size: size)
    let whole = try await fetch(query.order(query.statement.completeOrderings)).map(line)

    func expect(_ page: Page<Output>?, _ range: Range<Int>, _ way: String) {
      guard let page else { return }
      let rows = page.rows.map(line)
      #expect(
        rows == Array(whole[range]), "\(comment.rawValue), \(way), size \(size): \((try? query.sql.description) ?? "")",
        sourceLocation: sourceLocation)
    }

    // Forward, keeping the cursor of each page's first row.
    var position = 0
    var places: [PageCursor] = []
    var page: Page<Output>? = try await pages.first().sent()
    while let current = page {
      let end = min(position + size, whole.count)
      expect(current, position..<end, "forward")
      #expect((current.next == nil) == (end == whole.count), comment, sourceLocation: sourceLocation)
      #expect((current.previous == nil) == (position == 0), comment, sourceLocation: sourceLocation)
      if let start = current.start { places.append(start) }
      position = end
      guard let next = current.next, current.rows.count == size else { break }
      page = try await pages.page(after: next).sent()
    }
    #expect(position == whole.count, comment, sourceLocation: sourceLocation)

    // Backward.
    page = try await pages.last().sent()
    while let current = page {
      let start = max(0, position - size)
      expect(current, start..<position, "backward")
      #expect((current.previous == nil) == (start == 0), comment, sourceLocation: sourceLocation)
      #expect((current.next == nil) == (position == whole.count), comment, sourceLocation: sourceLocation)
      position = start
      guard let previous = current.previous, current.rows.count == size else { break }
      page = try await pages.page(before: previous).sent()
    }
    #expect(position == 0, comment, sourceLocation: sourceLocation)

    // From the first row of each page, in both directions, with and without the row itself.
    for (number, place) in places.enumerated() {
      let row = number * size
      expect(try await pages.page(after: place), min(row + 1, whole.count)..<min(row + 1 + size, whole.count), "after")
      expect(try await pages.page(before: place), max(0, row - size)..<row, "before")
      expect(try await pages.page(after: place.movedBeforeRow), row..<min(row + size, whole.count), "from")
      expect(try await pages.page(before: place.movedAfterRow), max(0, row + 1 - size)..<(row + 1), "up to")
    }

    var rows: [String] = []
    for try await page in pages { rows += page.rows.map(line) }
    #expect(rows == whole, comment, sourceLocation: sourceLocation)
    rows = []
    for try await page in pages.reversed() { rows = page.rows.map(line) + rows }
    #expect(rows == whole, comment, sourceLocation: sourceLocation)
  }
}
