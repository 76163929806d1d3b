import Foundation
import Sanderling
import Testing

@testable import SanderlingCLI

/// The folder of the stores.
private let realCoreDataStores =
  ProcessInfo.processInfo.environment["SANDERLING_CORE_DATA_STORES"]
  ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../shared/data/coredata")
  .standardizedFileURL.path

/// Stores that Core Data itself made, in the folder of `SANDERLING_CORE_DATA_STORES`, or else beside the checkout.
///
/// The records are printed in the files beside this one, so that the compiler checks them.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: realCoreDataStores)))
struct RealCoreDataTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
  }

  /// Checks the printed records, and opens a copy of the store.
  private func comparison(
    _ name: String, _ schema: [any StoredRecord.Type], names: [String: String] = [:]
  ) async throws -> CoreDataComparison {
    let path = temporary.file("\(name).sqlite")
    try FileManager.default.copyItem(atPath: "\(realCoreDataStores)/\(name).sqlite", toPath: path)
    let before = try Data(contentsOf: URL(filePath: path))
    let source = try RecordSource(databaseAt: path, rows: 10)
    try PrintedRecords.check(source, name: name, in: Self.folder)
    #expect(source.notes.allSatisfy { $0.hasSuffix("Core Data's own tables, left out") }, "\(source.notes)")
    let comparison = try await CoreDataComparison(path: path, schema: schema)
    #expect(try await comparison.compareRows(names: names) > 10)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    return comparison
  }

  @Test func cars() async throws {
    typealias V1 = SampleModel_V1
    typealias V2 = SampleModel_V2
    let first = try await comparison("SampleModel_V1", V1.schema)
    #expect(try await first.pairs(V1.Car.owner) == first.pairs("SELECT Z_PK, ZOWNER FROM ZCAR WHERE ZOWNER NOT NULL"))
    #expect(try await first.pairs(V1.Person.cars) == first.pairs("SELECT ZOWNER, Z_PK FROM ZCAR WHERE ZOWNER NOT NULL"))
    #expect(
      try await first.pairs(V1.SportCar.owner)
        == first.pairs("SELECT Z_PK, ZOWNER FROM ZCAR WHERE ZOWNER NOT NULL AND Z_ENT IN (2, 3)"))
    #expect(
      try await first.pairs(V1.ExpensiveSportCar.owner)
        == first.pairs("SELECT Z_PK, ZOWNER FROM ZCAR WHERE ZOWNER NOT NULL AND Z_ENT = 3"))
    // A migration renamed an entity, and the store keeps its former name.
    let second = try await comparison("SampleModel_V2", V2.schema, names: ["LuxuryCar": "ExpensiveSportCar"])
    #expect(try await second.pairs(V2.Car.owner) == second.pairs("SELECT Z_PK, ZOWNER FROM ZCAR WHERE ZOWNER NOT NULL"))
    #expect(
      try await second.pairs(V2.Person.cars) == second.pairs("SELECT ZOWNER, Z_PK FROM ZCAR WHERE ZOWNER NOT NULL"))
  }

  @Test func books() async throws {
    typealias V1 = SampleModel2_V1
    typealias V2 = SampleModel2_V2
    let (authors, pages) = ("SELECT ZAUTHOR, Z_PK FROM ZBOOK", "SELECT ZBOOK, Z_PK FROM ZPAGE")
    let first = try await comparison("SampleModel2_V1", V1.schema)
    #expect(try await first.pairs(V1.Author.books) == first.pairs(authors))
    #expect(try await first.pairs(V1.Book.author) == first.pairs("SELECT Z_PK, ZAUTHOR FROM ZBOOK"))
    #expect(try await first.pairs(V1.Book.pages) == first.pairs(pages))
    #expect(try await first.pairs(V1.Page.book) == first.pairs("SELECT Z_PK, ZBOOK FROM ZPAGE"))
    #expect(
      try await first.pairs(V1.GraphicNovel.pages)
        == first.pairs("\(pages) WHERE ZBOOK IN (SELECT Z_PK FROM ZBOOK WHERE Z_ENT = 2)"))
    // Core Data itself counted the pages.
    let counted = try await first.store.fetch(V1.Book.select { ($0.pagesCount, $0.pages.count) })
    #expect(counted.count == 52 && counted.allSatisfy { $0.0 == Int64($0.1) })
    let prices = try await Set(first.store.fetch(V1.Book.query).map(\.price))
    #expect(prices == [Decimal(string: "10.11"), Decimal(string: "3.3333333333")])
    let second = try await comparison("SampleModel2_V2", V2.schema)
    #expect(try await second.pairs(V2.Author.books) == second.pairs(authors))
    #expect(try await second.pairs(V2.Book.pages) == second.pairs(pages))
    #expect(
      try await second.pairs(V2.GraphicNovel.author) == second.pairs("SELECT Z_PK, ZAUTHOR FROM ZBOOK WHERE Z_ENT = 2"))
  }

  @Test func users() async throws {
    let comparison = try await comparison("SampleModel3_V1", SampleModel3_V1.schema)
    #expect(try await comparison.store.count(SampleModel3_V1.User.query) == 12)
  }

  /// Moves a copy of each store by the printed move.
  @Test func moves() async throws {
    let moves: [(String, [any StoredRecord.Type], (String, String) -> StoreMove)] = [
      ("SampleModel_V1", SampleModel_V1.schema, SampleModel_V1Move.move),
      ("SampleModel_V2", SampleModel_V2.schema, SampleModel_V2Move.move),
      ("SampleModel2_V1", SampleModel2_V1.schema, SampleModel2_V1Move.move),
      ("SampleModel2_V2", SampleModel2_V2.schema, SampleModel2_V2Move.move),
      ("SampleModel3_V1", SampleModel3_V1.schema, SampleModel3_V1Move.move),
    ]
    for (name, schema, move) in moves {
      let path = temporary.file("\(name).sqlite")
      try FileManager.default.copyItem(atPath: "\(realCoreDataStores)/\(name).sqlite", toPath: path)
      let source = try RecordSource(databaseAt: path, rows: 10, isMove: true)
      try PrintedRecords.check(source, name: "\(name)Move", in: Self.folder)
      let comparison = try await CoreDataMoveComparison(path, schema, move)
      #expect(try await comparison.compare() > 10, "\(name)")
      #expect(comparison.report.problemCount == 0, "\(comparison.report)")
    }
    let pages = SampleModel2_V1Move.Book.select { ($0.pagesCount, $0.pages.count) }
    let store = try await Store.open(
      path: temporary.file("SampleModel2_V1.sqlite.new.sqlite"), schema: SampleModel2_V1Move.schema)
    #expect(try await store.fetch(pages).allSatisfy { $0.0 == Int64($0.1) })
  }
}
