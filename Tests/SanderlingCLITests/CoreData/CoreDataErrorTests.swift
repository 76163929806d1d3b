import Foundation
import GRDB
import TestPrograms
import Testing

@testable import SanderlingCLI

/// Stores and models that can't be read: each has one message, with the place and the remedy.
struct CoreDataErrorTests {
  private let temporary: TemporaryFolder
  private let path: String
  private static let remedy =
    "Open a copy of the store with the app, which writes the cache again. "
    + "Or delete the rows of Z_MODELCACHE in a copy: then names come from the columns."

  init() throws {
    temporary = try TemporaryFolder()
    path = temporary.file("a.sqlite")
  }

  private func message(_ change: @Sendable (Database) throws -> Void) async throws -> String {
    try await DatabaseQueue(path: path).write { db in
      try CoreDataFixture.make(db)
      try change(db)
    }
    do {
      return try RecordSource(databaseAt: path, rows: 10).text
    } catch let error as any CommandError {
      return error.description
    }
  }

  @Test func unknownVersion() async throws {
    let message = try await message { try $0.execute(sql: "UPDATE Z_METADATA SET Z_VERSION = 2") }
    #expect(
      message == "\(path) is a store of Core Data of the unknown version 2, and version 1 can be read. "
        + "Update sanderling, or name a store of version 1.")
  }

  @Test(arguments: [
    ("\u{1}\u{2}", "its compressed content is damaged"), ("", "its compressed content ends too early"),
  ])
  func damagedStream(content: String, reason: String) async throws {
    let message = try await message { try CoreDataFixture.addModel(Array(content.utf8), $0) }
    #expect(message.hasPrefix("The model cache of \(path) is damaged: "), "\(message)")
    #expect(message.hasSuffix(". \(Self.remedy)"))
  }

  @Test func otherContents() async throws {
    let archive = ModelArchiveWriter.archive(CoreDataFixture.model)
    let stream = ModelArchiveWriter.deflated(archive)
    let bomb = ModelArchiveWriter.deflated([UInt8](repeating: 0, count: Inflation.limit + 1))
    #expect(bomb.count < 100_000)
    let cases: [([UInt8], String)] = [
      (Array(stream.dropLast(9)), "its compressed content ends too early"), (bomb, "its content is larger than 64 MB"),
      (ModelArchiveWriter.deflated(Array("no list".utf8)), "it is no binary property list"),
      (ModelArchiveWriter.deflated(Array(archive.dropLast())), "the trailer of its property list is damaged"),
      (
        ModelArchiveWriter.deflated(ModelArchiveWriter.list(.integer(1))),
        "its archive has a value in place of an object"
      ),
      (
        ModelArchiveWriter.deflated(ModelArchiveWriter.list(.dictionary([("$version", .integer(7))]))),
        "it is no keyed archive of a known version"
      ),
    ]
    for (content, reason) in cases {
      let path = temporary.file("\(reason).sqlite")
      try await DatabaseQueue(path: path).write { db in
        try CoreDataFixture.makeTables(db)
        try CoreDataFixture.addModel(content, db)
      }
      #expect(throws: CoreDataError.damagedModel(path, reason: reason)) { try RecordSource(databaseAt: path, rows: 1) }
    }
  }

  /// Parents in a cycle, and objects that contain themselves.
  @Test func cycles() throws {
    let cycle = CoreDataModel(entities: [
      .init(name: "A", superentity: "B", isAbstract: false, properties: []),
      .init(name: "B", superentity: "A", isAbstract: false, properties: []),
    ])
    #expect(throws: ArchiveError("the parents of its entity A form a cycle, or are missing")) {
      // The writer itself would follow the cycle of parents.
      try CoreDataModel(
        archive: ModelArchiveWriter.archive(
          CoreDataModel(
            entities: cycle.entities.map { .init(name: $0.name, superentity: nil, isAbstract: false, properties: []) }),
          changes: ["A": [("NSSuperentity", .identifier(2))], "B": [("NSSuperentity", .identifier(1))]]))
    }
    // The parts of a composite attribute are the array of the same attribute.
    let model = CoreDataModel(entities: [
      .init(
        name: "A", superentity: nil, isAbstract: false,
        properties: [
          .init(
            name: "x",
            kind: .attribute(.init(type: 2100, parts: [.init(name: "y", kind: .attribute(.init(type: 700)))])))
        ])
    ])
    for number in 1..<40 {
      let archive = ModelArchiveWriter.archive(
        model,
        changes: [
          "A.x": [("NSCompositeElements", .identifier(number)), ("NSDerivationExpression", .identifier(number))]
        ])
      // Most numbers are objects of another kind. None makes the reader loop.
      _ = try? CoreDataModel(archive: archive)
    }
    let fields: [(String, ModelArchiveWriter.Item)] = [
      ("NS.objects", .array(Array(repeating: .identifier(1), count: 30))), ("NSArguments", .identifier(1)),
      ("NSSelectorName", .identifier(2)), ("NSCompositeElements", .identifier(1)), ("NSPropertyName", .identifier(2)),
      ("NSAttributeType", .integer(2100)), ("$class", .identifier(3)), ("NSEntities", .identifier(4)),
      ("NSProperties", .identifier(4)),
      ("NSDerivationExpression", .identifier(1)),
    ]
    let archive = ModelArchiveWriter.list(
      .dictionary([
        ("$version", .integer(100_000)), ("$archiver", .text("NSKeyedArchiver")),
        ("$top", .dictionary([("root", .identifier(1))])),
        (
          "$objects",
          .array([
            .text("$null"), .dictionary(fields), .text("f:"),
            .dictionary([("$classes", .array([.text("NSManagedObjectModel"), .text("NSAttributeDescription")]))]),
            .dictionary([("NS.keys", .array([.identifier(2)])), ("NS.objects", .array([.identifier(1)]))]),
          ])
        ),
      ]))
    #expect(throws: ArchiveError.self) { try CoreDataModel(archive: archive) }
  }

  /// No damage makes the reader trap or loop: bytes that are missing, and bytes that changed.
  @Test func damageNeverTraps() throws {
    let archive = ModelArchiveWriter.archive(CoreDataFixture.model)
    #expect(try CoreDataModel(archive: archive).entities.count == CoreDataFixture.model.entities.count)
    for count in stride(from: 0, to: archive.count, by: 71) {
      #expect(throws: ArchiveError.self) { try CoreDataModel(archive: Array(archive.prefix(count))) }
    }
    var random = SeededGenerator()
    for _ in 0..<300 {
      var changed = archive
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? CoreDataModel(archive: changed)
    }
  }

  @Test func modelOfAnotherStore() async throws {
    let message = try await message { db in
      try db.execute(
        sql: "INSERT INTO Z_PRIMARYKEY VALUES (10, 'Extra', 0, 0); CREATE TABLE ZEXTRA (Z_PK INTEGER PRIMARY KEY)")
    }
    #expect(
      message
        == "The model cache of \(path) doesn't fit its tables: the model lacks the entity Extra, or has it below another. \(Self.remedy)"
    )
    try await DatabaseQueue(path: path).write { try $0.execute(sql: "DROP TABLE ZEXTRA") }
    #expect(throws: CoreDataError.otherModel(path, reason: "there is no table for the entity Extra")) {
      try RecordSource(databaseAt: path, rows: 1)
    }
  }

  /// Deleting the cache, as the remedy says, gives records.
  @Test func theRemedyWorks() async throws {
    let text = try await message { try $0.execute(sql: "DELETE FROM Z_MODELCACHE") }
    #expect(text.contains("struct Author {"), "\(text)")
  }
}
