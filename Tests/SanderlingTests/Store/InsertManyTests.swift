import Foundation
import Sanderling
import Testing

/// Many records that have their keys are inserted with few statements: 32 with each, read 1,024 ahead.
@Suite struct InsertManyTests {
  let folder = TemporaryFolder()

  private func store(_ kind: StoreKind) throws -> Store {
    let store = try folder.store(kind)
    try store.writeBlocking("given") { _ = try $0.insert(Bird(ring: "A1", species: "knot")) }
    return store
  }

  private func tags(_ count: Int) -> [BirdTag] {
    (0..<count).map { BirdTag(birdID: 1, tag: "tag \($0)", weight: $0) }
  }

  @Test(arguments: [0, 1, 31, 32, 33, 64, 100, 1023, 1024, 1025, 2049])
  func anyNumber(count: Int) async throws {
    let store = try store(.memory)
    let tags = tags(count)
    for isArray in [true, false] {
      let (written, statements) = try await store.record {
        try await store.write("tag") { tx in
          if isArray { try tx.insert(contentsOf: tags) } else { try tx.insert(contentsOf: tags.lazy.map { $0 }) }
        }
      }
      #expect(written.rowCount == count)
      #expect(written.assignedKeys == [])
      #expect(statements.sql.count == count / 32 + count % 32)
      #expect(try await store.fetch(BirdTag.order { $0.weight }) == tags)
      try await store.write("untag") { _ = try $0.delete(BirdTag.where(.all([]))) }
    }
  }

  @Test func aSliceOfAnArray() async throws {
    let store = try store(.memory)
    let tags = tags(200)
    let insertion = try await store.write("tag") { try $0.insert(contentsOf: tags[50..<150]) }
    #expect(insertion.rowCount == 100)
    #expect(try await store.fetch(BirdTag.order { $0.weight }) == Array(tags[50..<150]))
  }

  /// Two records with the same key fail the insertion as a whole, within one statement, in two statements, and far
  /// apart.
  @Test(arguments: StoreKind.allCases, [(0, 1), (5, 40), (0, 1999), (31, 32), (1990, 1999)])
  func allOrNone(kind: StoreKind, duplicate: (first: Int, second: Int)) async throws {
    let store = try store(kind)
    var tags = tags(2000)
    tags[duplicate.second].tag = tags[duplicate.first].tag
    try await store.write("tag") { [tags] tx in
      try tx.insert(BirdTag(birdID: 1, tag: "before"))
      for records in [AnySequence(tags), AnySequence(tags.lazy.map { $0 })] {
        let error = #expect(throws: StoreError.self) { try tx.insert(contentsOf: records) }
        #expect(
          error?.localizedDescription
            == "There is a row with these values already: PRIMARY KEY constraint on birdID, tag of table birdTag.")
      }
      #expect(throws: StoreError.self) { try tx.insert(contentsOf: tags) }
      try tx.insert(BirdTag(birdID: 1, tag: "after"))
    }
    #expect(try await store.texts("SELECT tag FROM birdTag ORDER BY rowid") == ["before", "after"])
  }

  /// Rows that triggers insert are not counted, nor are rows that triggers refuse.
  @Test func rowsOfTriggersAreNotCounted() async throws {
    let store = try store(.file)
    try store.writer.run(
      """
      CREATE TABLE log (tag TEXT);
      CREATE TRIGGER logging AFTER INSERT ON birdTag BEGIN INSERT INTO log VALUES (new.tag), (new.tag); END;
      CREATE TRIGGER refusing BEFORE INSERT ON birdTag WHEN new.weight % 10 = 0 BEGIN SELECT RAISE(IGNORE); END
      """)
    let tags = tags(100)
    let insertion = try await store.write("tag") { try $0.insert(contentsOf: tags) }
    #expect(insertion.rowCount == 90)
    #expect(try await store.numbers("SELECT count(*) FROM log") == [180])
  }

  /// Keys that SQLite assigns are returned one by one, even between keys that the records have.
  @Test(arguments: StoreKind.allCases)
  func someBringTheirKeys(kind: StoreKind) async throws {
    let store = try store(kind)
    let birds = [nil, 50, nil, 7, nil].enumerated().map { Bird(id: $1, ring: "B\($0)", species: "knot") }
    let insertion = try await store.write("ring") { try $0.insert(contentsOf: birds) }
    #expect(insertion.assignedKeys == [2, 50, 51, 7, 52])
  }
}
