import GRDB

/// A page far from the first one, whose rewrite finds it by the last row of the page before.
///
/// It is compared on all pages, from the first to the last, each of which begins where the one before ended.
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

  /// What differs between the pages and all rows in their order; nil when nothing does.
  ///
  /// Of two forms, the first one follows a row that has a value in the order's first column, the second one a row that
  /// has NULL there.
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
