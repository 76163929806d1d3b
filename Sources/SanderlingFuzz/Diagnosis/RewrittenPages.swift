import GRDB

/// A statement for a page far from the first page, and the rows of all its pages. A rewrite finds each page by the last
/// row of the page before.
///
/// All pages are compared, from the first to the last.
struct RewrittenPages {
  /// The statement, with LIMIT and OFFSET.
  let sql: String
  private let all: String

  private static let offset = 2_000
  private static let length = 2

  init(random: inout SeededGenerator) {
    let (table, key) = random.element(of: [
      ("parent", "rank"), ("parent", "name"), ("child", "amount"), ("child", "kind"), ("child", "parent"),
    ])
    let direction = { (random: inout SeededGenerator) in random.chance(50) ? " DESC" : "" }
    let first = direction(&random)
    let second = random.chance(70) ? first : direction(&random)
    all = "SELECT \(key), id FROM \(table) ORDER BY \(key)\(first), id\(second)"
    sql = "\(all) LIMIT \(Self.length) OFFSET \(Self.offset)"
  }

  /// The difference between the pages and all rows in their order; nil if there is none.
  ///
  /// If there are two forms, the first form reads the page after a row with a value in the first ordering column. The
  /// second form reads the page after a row with NULL there.
  func difference(of forms: [String], in db: Database) throws -> String? {
    let rows = try Row.fetchAll(db, sql: all)
    var page = try Row.fetchAll(db, sql: "\(all) LIMIT \(Self.length)")
    var found: [Row] = []
    while let last = page.last, found.count <= rows.count {
      found += page
      let key: [DatabaseValue] = [last[0], last[1]]
      let isAfterNull = forms.count > 1 && key[0].isNull
      page = try Row.fetchAll(
        db, sql: isAfterNull ? forms[1] : forms[0], arguments: StatementArguments(isAfterNull ? [key[1]] : key))
    }
    return found == rows ? nil : "\(rows.count) rows became \(found.count) on pages, or others"
  }
}
