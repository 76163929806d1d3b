import Foundation
import GRDB
import Sanderling
import Testing

/// Insertions that leave existing rows unchanged.
@Suite struct InsertConflictTests {
  let folder = TemporaryFolder()

  private func store(_ kind: StoreKind) throws -> Store {
    let store = try folder.store(kind)
    try store.writeBlocking("given") { tx in
      try tx.insert(contentsOf: [Bird(ring: "A1", species: "knot"), Bird(ring: "A2", species: "knot")])
    }
    return store
  }

  @Test(arguments: StoreKind.allCases)
  func leavesTheExistingRowUnchanged(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("ring") { tx in
      try #expect(tx.insert(Bird(id: 1, ring: "A9", species: "dunlin"), onConflict: .ignore) == nil)
      try #expect(tx.insert(Bird(ring: "A2", species: "dunlin"), onConflict: .ignore) == nil)
      try #expect(tx.insert(Bird(ring: "A2", species: "dunlin"), onConflict: .ignore(on: \.ring)) == nil)
      try #expect(tx.insert(Bird(id: 2, ring: "A9", species: "dunlin"), onConflict: .ignore(on: \.id)) == nil)
      try #expect(tx.insert(Bird(ring: "A3", species: "dunlin"), onConflict: .ignore) == 3)
      try #expect(tx.insert(Bird(id: 7, ring: "A4", species: "dunlin"), onConflict: .ignore(on: \.ring)) == 7)
    }
    #expect(try await store.birds.map(\.species) == ["knot", "knot", "dunlin", "dunlin"])
  }

  /// Conflicts over other unique columns, and violations of other constraints, are errors, and nothing is inserted.
  @Test(arguments: StoreKind.allCases)
  func conflictsOverOtherColumnsAreErrors(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("ring") { tx in
      #expect(throws: StoreError.self) {
        try tx.insert(
          contentsOf: [Bird(ring: "A5", species: "knot"), Bird(id: 1, ring: "A6", species: "knot")],
          onConflict: .ignore(on: \.ring))
      }
      #expect(throws: StoreError.self) { try tx.insert(BirdTag(birdID: 77, tag: "lost"), onConflict: .ignore) }
    }
    #expect(try await store.birds.map(\.ring) == ["A1", "A2"])
  }

  @Test(arguments: StoreKind.allCases)
  func countsIgnoredRows(kind: StoreKind) async throws {
    let store = try store(kind)
    let tags = (1...100).map { BirdTag(birdID: 1, tag: "\($0 % 40)", weight: $0) }
    try await store.write("tag") { tx in
      let insertion = try tx.insert(contentsOf: tags, onConflict: .ignore)
      #expect(insertion.rowCount == 40 && insertion.ignoredCount == 60)
      let birds = ["A3", "A1", "A4", "A3"].map { Bird(ring: $0, species: "stint") }
      let second = try tx.insert(contentsOf: birds.lazy, onConflict: .ignore(on: \.ring))
      #expect(second.rowCount == 2 && second.ignoredCount == 2)
      #expect(second.assignedKeys == [3, 4])
    }
    #expect(try await store.numbers("SELECT sum(weight) FROM birdTag") == [(1...40).reduce(0, +)])
    #expect(try await store.birds.map(\.ring) == ["A1", "A2", "A3", "A4"])
  }

  @Test(arguments: StoreKind.allCases)
  func fetchesTheInsertedRow(kind: StoreKind) async throws {
    let store = try store(kind)
    try store.writer.run(
      "CREATE TRIGGER counted AFTER INSERT ON bird BEGIN UPDATE bird SET sightings = 9 WHERE id = new.id; END")
    try await store.write("ring") { tx in
      let bird = try tx.insertAndFetch(Bird(ring: "A3", species: "knot"))
      #expect(bird == Bird(id: 3, ring: "A3", species: "knot", sightings: 9))
      #expect(throws: StoreError.self) { try tx.insertAndFetch(bird) }
    }
  }
}
