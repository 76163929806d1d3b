import Foundation
import GRDB
import Sanderling
import SanderlingSQLite
import TestPrograms
import Testing

/// Aggregates of GRDB's associations, each in a subquery of its own.
@Suite struct AssociationSubqueryTests {
  private typealias Author = Library.Author
  private typealias Book = Library.Book
  private typealias Prize = Library.Prize
  private typealias Reader = Library.Reader
  private typealias AuthorSummary = Library.AuthorSummary

  private func library() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.run(Library.sql)
    return queue
  }

  /// The rows of a request as literals.
  private func rows(_ db: Database, _ request: some FetchRequest) throws -> [String] {
    try Row.fetchAll(db, request).map { row in row.map { "\($0): \($1)" }.joined(separator: ", ") }
  }

  @Test func severalAssociationsMultiplyNothing() throws {
    try library().read { db throws in
      let request = Author.annotated(withSubqueries: Author.books.count, Author.prizes.sum(Column("amount")))
        .order(Column("id")).asRequest(of: AuthorSummary.self)
      #expect(
        try request.fetchAll(db) == [
          AuthorSummary(id: 1, name: "Woolf", bookCount: 2, prizeAmountSum: 150),
          AuthorSummary(id: 2, name: "Musil", bookCount: 1, prizeAmountSum: 20),
          AuthorSummary(id: 3, name: "Anon", bookCount: 0, prizeAmountSum: nil),
        ])
      // GRDB's own form adds each prize once for each book.
      let joined = Author.annotated(with: Author.books.count, Author.prizes.sum(Column("amount")))
        .order(Column("id")).asRequest(of: AuthorSummary.self)
      #expect(try joined.fetchAll(db).map(\.prizeAmountSum) == [300, 20, nil])
      #expect(
        try request.makePreparedRequest(db, forSingleResult: false).statement.sql.contains(
          """
          (SELECT (SELECT COUNT(DISTINCT "book"."id") AS "bookCount" FROM "author" "sanderling_parent" \
          LEFT JOIN "book" ON "book"."authorID" = "sanderling_parent"."id" \
          WHERE "sanderling_parent"."id" = "sanderling_row"."id" GROUP BY "sanderling_parent"."id") \
          FROM "author" "sanderling_row" WHERE "sanderling_row"."id" = "author"."id") AS "bookCount"
          """))
    }
  }

  /// Single aggregates equal those of GRDB, over random rows.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func singleAggregatesEqualGRDB(_ round: UInt64) throws {
    var generator = SeededGenerator(seed: SeededGenerator.defaultSeed &+ round)
    let queue = try library()
    try queue.write { db in
      for id in 10..<40 as Range<Int64> {
        let author = Author(
          id: id, name: "\(generator.next(5))", country: generator.element(["GB", "AT", nil]),
          teacherID: generator.chance(0.7) ? id - Int64(generator.next(Int(id) - 9)) : nil)
        try author.insert(db)
        for number in 0..<generator.next(4) {
          let book = Book(id: id * 10 + Int64(number), authorID: id, title: "t", pages: generator.next(500))
          try book.insert(db)
          for reader in 0..<generator.next(3) {
            try Reader(id: book.id * 10 + Int64(reader), bookID: book.id, name: "r").insert(db)
          }
        }
      }
    }
    let aggregates: [AssociationAggregate<Author>] = [
      Author.books.count, Author.books.isEmpty, Author.books.max(Column("pages")), Author.books.min(Column("pages")),
      Author.books.average(Column("pages")), Author.books.total(Column("pages")), Author.readers.count,
      Author.books.filter(Column("pages") > 250).count.forKey("thick"), Author.pupils.count,
      Author.books.filter(Column("pages") > 250).forKey("thickBooks").count, Author.pupils.max(Column("id")),
      Author.books.sum(Column("pages")) ?? 0, (Author.books.count + Author.pupils.count).forKey("both"),
      Author.pupils.filter(Column("country") == "AT").isEmpty,
    ]
    try queue.read { db in
      for aggregate in aggregates {
        let expected = try rows(db, Author.annotated(with: [aggregate]).order(Column("id")))
        let found = try rows(db, Author.annotated(withSubqueries: [aggregate]).order(Column("id")))
        #expect(found == expected, "SANDERLING_SEED=\(SeededGenerator.defaultSeed), round \(round)")
      }
      let all = try Author.annotated(withSubqueries: aggregates).order(Column("id")).asRequest(of: Row.self).fetchAll(
        db)
      #expect(all.count == 33)
      #expect(all[0].count == 4 + aggregates.count)
    }
  }

  /// The steps grow with the sum of the children and not with their product.
  @Test func theStepsAddUp() throws {
    let queue = try library()
    try queue.write { db in
      for number in 100..<300 as Range<Int64> { try Book(id: number, authorID: 3, title: "t", pages: 1).insert(db) }
      for number in 100..<200 as Range<Int64> { try Prize(id: number, authorID: 3, amount: 1).insert(db) }
    }
    try queue.read { db in
      func steps(_ request: QueryInterfaceRequest<Author>) throws -> Int {
        let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
        _ = try Row.fetchAll(statement)
        return Int(sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 1))
      }
      let joined = try steps(Author.annotated(with: Author.books.count, Author.prizes.count))
      let subqueries = try steps(Author.annotated(withSubqueries: Author.books.count, Author.prizes.count))
      #expect(subqueries * 20 < joined, "\(subqueries) steps, \(joined) joined")
      let plan = try Author.annotated(withSubqueries: Author.books.count).makePreparedRequest(
        db, forSingleResult: false)
      let lines = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + plan.statement.sql).map { $0["detail"] as String }
      #expect(lines.filter { $0.hasPrefix("SCAN") } == ["SCAN author"], "\(lines)")
    }
  }

  @Test func theRequestMayHaveAliasesAndJoins() throws {
    try library().read { db throws in
      let alias = TableAlias<Author>(name: "a")
      let named = Author.aliased(alias).filter(alias[Column("id")] < 3)
        .annotated(withSubqueries: Author.books.count, Author.pupils.count).order(alias[Column("id")])
      #expect(
        try named.asRequest(of: Row.self).fetchAll(db).map { [$0["bookCount"], $0["pupilCount"]] } == [
          [2, 2], [1, 0],
        ])
      // The table is joined with itself, so GRDB numbers its names.
      let joined = Author.joining(required: Author.teacher.filter(Column("name") == "Woolf"))
        .annotated(withSubqueries: Author.pupils.count, Author.books.count).order(Column("id"))
      #expect(
        try joined.asRequest(of: Row.self).fetchAll(db).map { [$0["id"], $0["bookCount"], $0["pupilCount"]] } == [
          [2, 1, 0], [3, 0, 0],
        ])
      // In a prefetched association, and in a joined one.
      struct Taught: Decodable, FetchableRecord {
        var name: String; var pupils: [Pupil]; struct Pupil: Decodable { var name: String; var bookCount: Int }
      }
      let taught = try Author.including(
        all: Author.pupils.annotated(withSubqueries: [Author.books.count]).order(Column("id"))
      ).order(Column("id")).asRequest(of: Taught.self).fetchAll(db)
      #expect(taught.map { $0.pupils.map(\.bookCount) } == [[1, 0], [], []])
      #expect(try named.fetchCount(db) == 2)
      #expect(try named.limit(1).fetchOne(db)?.id == 1)
    }
  }

  @Test func keysOfOtherKinds() throws {
    struct Shop: TableRecord {
      static let sales = hasMany(Sale.self, using: ForeignKey(["chain", "shop"], to: ["chain", "number"]))
    }
    struct Sale: TableRecord { static let databaseTableName = "sale" }
    struct Loose: TableRecord { static let sales = hasMany(Sale.self, using: ForeignKey(["shop"], to: ["number"])) }
    struct Seen: TableRecord { static let sales = hasMany(Sale.self, using: ForeignKey(["shop"], to: ["number"])) }
    let queue = try DatabaseQueue()
    try queue.run(
      """
      CREATE TABLE shop (chain TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (chain, number)) WITHOUT ROWID;
      CREATE TABLE loose (number INTEGER);
      CREATE VIEW seen AS SELECT * FROM loose;
      CREATE TABLE sale (chain TEXT, shop INTEGER, amount INTEGER);
      INSERT INTO shop VALUES ('a', 1), ('a', 2), ('b', 1);
      INSERT INTO loose VALUES (1), (1), (2);
      INSERT INTO sale VALUES ('a', 1, 5), ('a', 1, 6), ('b', 1, 7)
      """)
    try queue.read { db in
      func counts(_ request: QueryInterfaceRequest<some Any>) throws -> [Int] {
        try request.asRequest(of: Row.self).fetchAll(db).map { $0["saleCount"] }
      }
      #expect(try counts(Shop.annotated(withSubqueries: Shop.sales.count).orderByPrimaryKey()) == [2, 0, 1])
      #expect(try counts(Loose.annotated(withSubqueries: Loose.sales.count).order(Column("rowid"))) == [3, 3, 0])
      let error = try #require(throws: (any Error).self) {
        try counts(Seen.annotated(withSubqueries: Seen.sales.count))
      }
      #expect("\(error)".contains("seen"), "\(error)")
    }
  }
}
