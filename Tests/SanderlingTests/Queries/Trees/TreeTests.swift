import Foundation
import Sanderling
import Testing

/// Trees of folders: 1 ▸ (2 ▸ 3, 4); 5 in itself; 6 ▸ 7 ▸ 6; 8 below a missing folder; 9 ▸ 10.
@Suite("Trees")
struct TreeTests {
  @Record(indexes: [.on(\.parentID)])
  struct Folder: Hashable {
    var id: Int
    var parentID: Int?
    var name: String
    var isHidden = false
    static let folders = hasMany(Folder.self, by: \.parentID)
    static let all = hasMany(Folder.self, by: \.parentID).recursive()
    static let visible = hasMany(Folder.self, by: \.parentID).filter { !$0.isHidden }
    static let files = hasMany(File.self, by: \.folderID)
    static let parent = belongsTo(Folder.self, by: \.parentID)
    static let through = hasMany(Folder.self, through: folders, using: parent)
  }

  @Record
  struct File {
    var id: Int
    var folderID: Int
    var size: Int
  }

  @Projection(of: Folder.self)
  struct Summary {
    var name: String
    var files: Int
    static let files = aggregate { $0.files.count }
  }

  let store: Store

  init() throws {
    store = try Store(inMemory: [Folder.self, File.self])
    try store.writeBlocking("fill") { tx in
      try tx.insert(contentsOf: [
        Folder(id: 1, parentID: nil, name: "home"), Folder(id: 2, parentID: 1, name: "music", isHidden: true),
        Folder(id: 3, parentID: 2, name: "jazz"), Folder(id: 4, parentID: 1, name: "art"),
        Folder(id: 5, parentID: 5, name: "self"), Folder(id: 6, parentID: 7, name: "hen"),
        Folder(id: 7, parentID: 6, name: "egg"), Folder(id: 8, parentID: 80, name: "lost"),
        Folder(id: 9, parentID: nil, name: "away", isHidden: true), Folder(id: 10, parentID: 9, name: "beach"),
      ])
      try tx.insert(contentsOf: [
        File(id: 1, folderID: 3, size: 30), File(id: 2, folderID: 3, size: 31), File(id: 3, folderID: 4, size: 40),
      ])
    }
  }

  /// Returns the rows as `depth name`.
  private func outline(_ query: Selection<TreeRow<Folder>, TreeRow<Folder>>) async throws -> [String] {
    try await store.fetch(query).map { "\($0.depth) \($0.name)" }
  }

  @Test func aSubtree() async throws {
    try await store.expect(
      Folder.folders.tree(from: 1).orderSiblings { $0.name }.select { ($0.name, $0.depth, $0.path) },
      sql: """
        SELECT "folder"."name", "sanderling_tree"."depth", "sanderling_tree"."path"
        FROM (WITH RECURSIVE "sanderling_walk"("k0", "depth", "path", "s0") AS
        (SELECT "folder"."id", 0, CAST("folder"."id" AS TEXT), "folder"."name" FROM "folder" WHERE "folder"."id" = ?
        UNION ALL SELECT "folder"."id", "sanderling_walk"."depth" + 1,
        "sanderling_walk"."path" || '/' || CAST("folder"."id" AS TEXT), "folder"."name"
        FROM "sanderling_walk" CROSS JOIN "folder" ON "folder"."parentID" = "sanderling_walk"."k0"
        WHERE ("folder"."id" IS NOT ?)
        ORDER BY 2 DESC, 4, 1 LIMIT -1)
        SELECT "k0", "depth", "path" FROM "sanderling_walk") AS
        "sanderling_tree" CROSS JOIN "folder" ON "folder"."id" = "sanderling_tree"."k0"
        -- 1, 1
        """,
      rows: """
        home | 0 | [1]
        art | 1 | [1, 4]
        music | 1 | [1, 2]
        jazz | 2 | [1, 2, 3]
        """)
  }

  @Test func theForest() async throws {
    let forest = Folder.folders.tree().orderSiblings { $0.name }
    #expect(
      try await outline(forest) == ["0 away", "1 beach", "0 home", "1 art", "1 music", "2 jazz", "0 lost"])
    #expect(try await store.count(forest) == 7)
    #expect(
      try await outline(Folder.folders.tree().orderSiblings { $0.name.descending })
        == ["0 lost", "0 home", "1 music", "2 jazz", "1 art", "0 away", "1 beach"])
    #expect(
      try await outline(Folder.folders.tree()) == [
        "0 home", "1 music", "2 jazz", "1 art", "0 lost", "0 away", "1 beach",
      ])
    #expect(try await outline(Folder.folders.tree(maximumDepth: 0)) == ["0 home", "0 lost", "0 away"])
    #expect(try await outline(forest.limit(2, offset: 2)) == ["0 home", "1 art"])
    #expect(try await outline(forest.reversed().limit(2)) == ["0 lost", "2 jazz"])
    #expect(
      try await outline(forest.order { ($0.depth, $0.name) })
        == ["0 away", "0 home", "0 lost", "1 art", "1 beach", "1 music", "2 jazz"])
  }

  /// A filter of the association ends the descent, also at roots. A filter of the query only selects among the rows.
  @Test func filters() async throws {
    #expect(try await outline(Folder.visible.tree()) == ["0 home", "1 art", "0 lost"])
    #expect(
      try await outline(Folder.folders.tree().filter { !$0.isHidden })
        == ["0 home", "2 jazz", "1 art", "0 lost", "1 beach"])
    #expect(try await outline(Folder.visible.tree(from: 9)) == ["0 away", "1 beach"])
    #expect(try await outline(Folder.visible.recursive().tree()) == ["0 home", "1 art", "0 lost"])
    #expect(
      try await outline(Folder.all.filter { $0.isHidden }.tree(from: 1)) == ["1 music"])
    #expect(
      try await outline(Folder.folders.tree(from: 1).filter { $0.depth > 0 && $0.files.exists }) == ["2 jazz", "1 art"])
    #expect(
      try await outline(Folder.folders.filter { !($0.parent.isHidden ?? false) }.tree())
        == ["0 home", "1 music", "1 art", "0 lost", "0 away"])
  }

  @Test func cyclesEnd() async throws {
    #expect(try await outline(Folder.folders.tree(from: 5)) == ["0 self"])
    #expect(try await outline(Folder.folders.tree(from: 6)) == ["0 hen", "1 egg"])
    #expect(try await outline(Folder.folders.ancestors(of: 5)) == [])
    #expect(try await outline(Folder.folders.ancestors(of: 7)) == ["1 hen"])
  }

  @Test func ancestors() async throws {
    let rows = try await store.fetch(Folder.folders.ancestors(of: 3))
    #expect(rows.map(\.id) == [2, 1])
    #expect(rows.map(\.depth) == [1, 2])
    #expect(rows.map(\.path) == [[3, 2], [3, 2, 1]])
    #expect(try await store.fetch(Folder.folders.ancestors(of: 3).reversed().select { $0.name }) == ["home", "music"])
    #expect(try await store.fetchFirst(Folder.folders.ancestors(of: 3))?.name == "music")
    #expect(try await outline(Folder.folders.ancestors(of: 3, maximumDepth: 1)) == ["1 music"])
    #expect(try await outline(Folder.folders.ancestors(of: 1)) == [])
    #expect(try await outline(Folder.folders.ancestors(of: 8)) == [])
    #expect(try await outline(Folder.folders.ancestors(of: 77)) == [])
    // The folder "music" is hidden: it still has "jazz" below it, and is itself below no folder.
    #expect(try await outline(Folder.visible.ancestors(of: 3)) == ["1 music"])
    #expect(try await outline(Folder.visible.ancestors(of: 2)) == [])
  }

  @Test func treeFromAMissingStartIsEmpty() async throws {
    #expect(try await store.fetch(Folder.folders.tree(from: 77)).isEmpty)
    #expect(try await store.exists(Folder.folders.tree(from: 77)) == false)
    #expect(try await store.exists(Folder.folders.tree(from: 7)))
  }

  /// Queries of trees select, group and combine as other queries do.
  @Test func selections() async throws {
    let tree = Folder.folders.tree(from: 1)
    #expect(
      try await store.fetch(tree.select { ($0.name, $0.depth, $0.files.sum(\.size)) }).map { "\($0)" } == [
        "(\"home\", 0, 0)", "(\"music\", 1, 0)", "(\"jazz\", 2, 61)", "(\"art\", 1, 40)",
      ])
    let whole = try await store.fetch(tree.select { ($0.record, $0, $0.files.count, $0.parent) })
    let rows = try await store.fetch(tree)
    #expect(whole.map(\.1) == rows && whole.map(\.0) == rows.map(\.record))
    #expect(whole.map(\.2) == [0, 0, 2, 1] && whole.map { $0.3?.id } == [nil, 1, 2, 1])
    #expect(try await store.fetch(tree.select(Summary.self)).map(\.files) == [0, 0, 2, 1])
    #expect(try await store.fetch(tree.select { $0.parent.name }) == [nil, "home", "music", "home"])
    #expect(
      try await store.fetch(tree.group { $0.depth }.select { ($0.depth, $0.count()) }.order { $0.depth }).map(\.1)
        == [1, 2, 1])
    #expect(try await store.fetch(tree.select { $0.depth.max() }) == [2])
    #expect(try await store.fetch(tree.select { $0.depth }.distinct().order { $0.depth }) == [0, 1, 2])
    #expect(
      try await store.fetch(tree.select { ($0.id, $0.files.filter { $0.size > 30 }.count) }).map(\.1) == [0, 0, 1, 1])
    #expect(try await store.fetch(tree.filter { $0.path == [1, 2] }.select { $0.record.id }) == [2])
    // A tree inside another query, and an aggregate that uses the depth of the outer row.
    let files = File.where { $0.folderID.in(tree.filter { $0.depth == 2 }.select { $0.id }) }
    #expect(try await store.count(files) == 2)
    #expect(
      try await store.fetch(tree.filter { row in row.files.contains { $0.size > row.depth * 15 } }.select { $0.id })
        == [3, 4])
    try await store.write { _ = try $0.delete(Folder.where { $0.id.in(tree.select { $0.id }) }) }
    #expect(try await store.count(tree) == 0)
  }

  @Test func rowsAreValues() async throws {
    let rows = try await store.fetch(Folder.folders.tree(from: 9))
    #expect(rows[1] == TreeRow(record: Folder(id: 10, parentID: 9, name: "beach"), depth: 1, path: [9, 10]))
    #expect(Set(rows).count == 2 && rows.map(\.id) == [9, 10])
    let query = Folder.folders.tree(from: 9)
    #expect(query == Folder.folders.tree(from: 9) && query != Folder.folders.tree(from: 1))
    #expect(query != query.orderSiblings { $0.name } && query != Folder.folders.tree(from: 9, maximumDepth: 1))
  }

  @Test func rowsAreNested() async throws {
    func text(_ nodes: [TreeNode<Folder>]?) -> String {
      nodes.map { "(" + $0.map { $0.name + text($0.children) }.joined(separator: " ") + ")" } ?? ""
    }
    let forest = Folder.folders.tree().orderSiblings { $0.name }
    let nodes = try await store.fetch(forest).nested()
    #expect(text(nodes) == "(away(beach) home(art music(jazz)) lost)")
    #expect(nodes[1].id == 1 && nodes[1].row.depth == 0 && Set(nodes).count == 3)
    #expect(text(try await store.fetch(forest.filter { !$0.isHidden }).nested()) == "(beach home(art jazz) lost)")
    #expect(text(try await store.fetch(forest.filter { $0.depth > 0 }).nested()) == "(beach art music(jazz))")
    #expect(text([TreeRow<Folder>]().nested()) == "()")
  }

  @Test func invalidTreesAreRefused() async throws {
    let reason =
      "the depth in a tree needs a query that starts with the tree or the ancestors of an association"
    await #expect(throws: StoreError.invalidQuery(reason)) {
      try await store.fetch(TreeRow<Folder>.where { $0.depth == 1 })
    }
    let through =
      "a tree needs records that store the key of their parent: declare the association by that column"
    await #expect(throws: StoreError.invalidQuery(through)) { try await store.fetch(Folder.through.tree(from: 1)) }
  }
}

@Suite("Trees of records with other keys")
struct TreeKeyTests {
  @Record
  struct Page: Hashable {
    var id: String
    var parentID: String?
    static let pages = hasMany(Page.self, by: \.parentID)
  }

  /// A record that may have two parents: `parentID` is compared without case, so that "a" and "A" match the same rows.
  @Record
  struct Loose {
    var id: String
    @Stored(collation: .nocase) var parentID: String?
    static let children = hasMany(Loose.self, by: \.parentID)
  }

  @Record
  struct Part: Hashable {
    @PrimaryKey var kit: String
    @PrimaryKey var number: Data
    var inKit: String?
    var inNumber: Data?
    static let parts = hasMany(Part.self, by: \.inKit, \.inNumber)
  }

  @Record
  struct Measure {
    var id: Double
    @References(Measure.self) var parentID: Double?
    static let parts = hasMany(Measure.self, by: \.parentID)
  }

  @Record
  struct Employee {
    var id: Int64?
    @References(Employee.self) var chiefID: Int64?
    static let reports = hasMany(Employee.self, by: \.chiefID)
  }

  @Test func texts() async throws {
    let names = ["", "a/b", "c,d", "~", "~0", "~~1/,", "é", "e\u{301}", "/\u{301}", "x\u{0}y", "👩‍👩‍👧"]
    let store = try Store(inMemory: [Page.self])
    try await store.write { tx in
      for (index, name) in names.enumerated() {
        try tx.insert(Page(id: name, parentID: index == 0 ? nil : names[index - 1]))
      }
    }
    let rows = try await store.fetch(Page.pages.tree())
    #expect(
      rows.map(\.path).map { $0.map { Array($0.utf8) } } == names.indices.map { names[...$0].map { Array($0.utf8) } })
    #expect(try await store.fetch(Page.pages.tree().filter { $0.path == Array(names[...3]) }).map(\.depth) == [3])
    let up = try await store.fetch(Page.pages.ancestors(of: names[4]))
    #expect(up.map(\.path) == (0..<4).reversed().map { Array(names[$0...4].reversed()) })
    // A single row is read without the rows before it.
    #expect(try await store.fetch(Page.pages.tree().limit(1, offset: 5)).map(\.path) == [Array(names[...5])])
  }

  private static func part(_ number: UInt8, _ parent: UInt8?) -> Part {
    Part(
      kit: "k,\(number % 2)", number: Data([number, 0]), inKit: parent.map { "k,\($0 % 2)" },
      inNumber: parent.map { Data([$0, 0]) })
  }

  @Test func composite() async throws {
    let store = try Store(inMemory: [Part.self])
    try await store.write { tx in
      try tx.insert(contentsOf: [
        Self.part(1, nil), Self.part(2, 1), Self.part(3, 2), Self.part(4, 1), Self.part(5, 6), Self.part(6, 5),
      ])
    }
    let tree = Part.parts.tree(from: Part.Key("k,1", Data([1, 0])))
    let rows = try await store.fetch(tree)
    #expect(rows.map(\.record) == [Self.part(1, nil), Self.part(2, 1), Self.part(3, 2), Self.part(4, 1)])
    #expect(rows[2].path == [1, 2, 3].map { Part.Key("k,\($0 % 2)", Data([$0, 0])) })
    #expect(try await store.fetch(Part.parts.tree()).count == 4)
    #expect(try await store.count(Part.parts.tree(from: Part.Key("k,1", Data([5, 0])))) == 2)
    #expect(
      try await store.fetch(Part.parts.ancestors(of: Part.Key("k,1", Data([3, 0])))).map(\.record.number) == [
        Data([2, 0]), Data([1, 0]),
      ])
  }

  @Test func otherTypes() async throws {
    let store = try Store(inMemory: [Measure.self, Employee.self])
    try await store.write { tx in
      try tx.insert(contentsOf: [
        Measure(id: 0.1 + 0.2, parentID: nil), Measure(id: 1e300, parentID: 0.1 + 0.2),
        Measure(id: -.infinity, parentID: 1e300), Measure(id: 7, parentID: -.infinity),
      ])
      try tx.insert(Employee(id: 1, chiefID: nil))
      try tx.insert(Employee(id: nil, chiefID: 1))
    }
    #expect(try await store.fetch(Measure.parts.tree()).last?.path == [0.1 + 0.2, 1e300, -.infinity, 7])
    #expect(try await store.fetch(Employee.reports.tree()).map(\.path) == [[1], [1, 2]])
  }

  /// Swift writes `1e+20`, and SQLite `1.0e+20`.
  @Test func aPathOfRealsIsCompared() async throws {
    let store = try Store(inMemory: [Measure.self])
    let keys: [Double] = [
      0.1 + 0.2, 1e20, -1e16, 1e15, 123_456_789.125, 1e-5, .leastNonzeroMagnitude, 1 / 3, .greatestFiniteMagnitude,
      -.infinity,
      .infinity, 0, 7,
    ]
    try await store.write { tx in
      for (index, key) in keys.enumerated() {
        try tx.insert(Measure(id: key, parentID: index == 0 ? nil : keys[index - 1]))
      }
    }
    for depth in keys.indices {
      let path = Array(keys[...depth])
      #expect(try await store.fetch(Measure.parts.tree().filter { $0.path == path }).map(\.depth) == [depth], "\(path)")
    }
    let negativeZero = keys[..<11] + [-0.0]
    #expect(try await store.count(Measure.parts.tree().filter { $0.path == Array(negativeZero) }) == 1)
    #expect(try await store.count(Measure.parts.tree().filter { $0.path == [1e21] }) == 0)
  }

  @Test func severalParents() async throws {
    let store = try Store(inMemory: [Loose.self])
    try await store.write { tx in
      try tx.insert(contentsOf: [
        Loose(id: "a", parentID: "B"), Loose(id: "A", parentID: "b"), Loose(id: "b", parentID: "A"),
        Loose(id: "c", parentID: "b"),
      ])
    }
    // A record is returned once for each path, and no path is circular.
    #expect(
      try await store.fetch(Loose.children.tree(from: "a").select { $0.path }) == [
        ["a"], ["a", "b"], ["a", "b", "A"], ["a", "b", "c"],
      ])
    #expect(try await store.fetch(Loose.children.tree()).isEmpty)
    #expect(try await store.count(Loose.children.ancestors(of: "c")) == 3)
  }

  @Test func aKeyThatCantBeStored() async throws {
    let store = try Store(inMemory: [Measure.self])
    await #expect(throws: StoreError.self) { try await store.fetch(Measure.parts.tree(from: .nan)) }
  }
}
