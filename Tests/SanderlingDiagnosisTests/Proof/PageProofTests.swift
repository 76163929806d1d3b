import Testing

@testable import SanderlingDiagnosis

/// Pages by key together return all rows, with NULLs and ties, from the first page to the last.
struct PageProofTests {
  private func fixture() throws -> DetectorFixture {
    try DetectorFixture(
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER, shelf TEXT, pages INTEGER NOT NULL);
      CREATE INDEX book_year ON book (year); CREATE INDEX book_pages ON book (pages, shelf);
      \(DetectorFixture.numbers(3_000))
      INSERT INTO book SELECT i, 'Title ' || (i * 7919 % 3000), CASE WHEN i % 4 THEN (i * 31) % 90 END,
        CASE WHEN i % 3 THEN 's' || (i % 7) END, i % 40 FROM n;
      """, showsValues: true)
  }

  @Test(arguments: [
    "SELECT id, year FROM book ORDER BY year LIMIT 50 OFFSET 1500",
    "SELECT id, year FROM book ORDER BY year DESC LIMIT 50 OFFSET 1500",
    "SELECT id, year FROM book ORDER BY year DESC, id LIMIT 50 OFFSET 1500",
    "SELECT id, pages, shelf FROM book ORDER BY pages, shelf LIMIT 50 OFFSET 1500",
    "SELECT id, pages, shelf FROM book ORDER BY pages DESC, shelf DESC, id DESC LIMIT 50 OFFSET 1500",
    "SELECT id, year FROM book WHERE year IS NOT NULL ORDER BY year LIMIT 50 OFFSET 1500",
    "SELECT year, id, title FROM book WHERE pages > 3 ORDER BY year DESC LIMIT 50 OFFSET 1500",
    // The order uses columns that the result doesn't contain.
    "SELECT title FROM book ORDER BY year DESC LIMIT 50 OFFSET 1500",
    "SELECT title, pages + 1 FROM book WHERE pages > 3 OR shelf = 's1' ORDER BY year DESC, pages DESC LIMIT 50 OFFSET 1500",
  ])
  func allPages(sql: String) throws {
    let fixture = try fixture()
    let analyzed = try fixture.analyzed(sql)
    let statement = try #require(MovableStatement(analyzed, schema: fixture.context.schema))
    let page = try #require(PageByKey(statement, schema: fixture.context.schema))
    #expect(try PageProof(page: page, context: fixture.context, samples: analyzed.samples).verdict().isSame)
    // The same check in plain SQL: from page to page, by the keys of the last row.
    let all = try fixture.context.rows(page.all)
    let keys = try fixture.context.rows(try #require(page.allKeys))
    var found = try fixture.context.rows(page.all + " LIMIT 50")
    while found.count < all.count {
      let next = try #require(page.next(after: keys[found.count - 1], [:]))
      let rows = try fixture.context.rows(next.sql, next.values)
      try #require(!rows.isEmpty)
      found += rows
    }
    #expect(found == all)
    // The printed statements are the checked statements.
    let finding = try #require(try fixture.findings(LargeOffsetDetector(), sql).first)
    let printed = [false, true].compactMap(page.next(isFirstNull:))
    #expect(finding.fix?.sql.suffix(page.hasTwoStates ? 2 : 1).allSatisfy(printed.contains) == true)
  }
}
