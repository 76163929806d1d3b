import Foundation
import Sanderling
import Testing

/// Recursive associations of folders: 1 ▸ 2 ▸ 3, 1 ▸ 4; 5 in itself; 6 ▸ 7 ▸ 6.
@Suite struct RecursionTests {
  @Record(indexes: [.on(\.parentID)])
  struct Folder {
    var id: Int
    var parentID: Int?
    var isHidden = false
    var size: Int
    static let children = hasMany(Folder.self, by: \.parentID)
    static let descendants = hasMany(Folder.self, by: \.parentID).recursive()
    static let subtree = hasMany(Folder.self, by: \.parentID).recursive(includingSelf: true)
    static let visible = hasMany(Folder.self, by: \.parentID).filter { !$0.isHidden }.recursive()
    static let hidden = hasMany(Folder.self, by: \.parentID).recursive().filter { $0.isHidden }
  }

  let store: Store

  init() async throws {
    store = try Store(inMemory: [Folder.self])
    try store.writeBlocking("fill") { tx in
      try tx.insert(contentsOf: [
        Folder(id: 1, parentID: nil, size: 1), Folder(id: 2, parentID: 1, isHidden: true, size: 10),
        Folder(id: 3, parentID: 2, size: 100), Folder(id: 4, parentID: 1, size: 1000),
        Folder(id: 5, parentID: 5, size: 5), Folder(id: 6, parentID: 7, size: 6), Folder(id: 7, parentID: 6, size: 60),
      ])
    }
  }

  @Test func descendants() async throws {
    try await store.expect(
      Folder.order { $0.id }.select { ($0.id, $0.descendants.count, $0.descendants.sum(\.size)) },
      sql: """
        SELECT "folder"."id", (WITH RECURSIVE "sanderling_descendants"("k0") AS (SELECT "folder2"."id"
        FROM "folder" AS "folder2" WHERE "folder2"."parentID" = "folder"."id" UNION SELECT "folder2"."id"
        FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2" ON "folder2"."parentID" =
        "sanderling_descendants"."k0") SELECT COUNT(*) FROM "sanderling_descendants" CROSS JOIN "folder" AS
        "folder2" ON "folder2"."id" = "sanderling_descendants"."k0"), coalesce((WITH RECURSIVE
        "sanderling_descendants"("k0") AS (SELECT "folder2"."id" FROM "folder" AS "folder2"
        WHERE "folder2"."parentID" = "folder"."id" UNION SELECT "folder2"."id"
        FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2" ON "folder2"."parentID" =
        "sanderling_descendants"."k0") SELECT SUM("folder2"."size")
        FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2" ON "folder2"."id" =
        "sanderling_descendants"."k0"), 0)
        FROM "folder"
        ORDER BY "folder"."id"
        """,
      rows: """
        1 | 3 | 1110
        2 | 1 | 100
        3 | 0 | 0
        4 | 0 | 0
        5 | 1 | 5
        6 | 2 | 66
        7 | 2 | 66
        """)
  }

  @Test func includingSelf() async throws {
    try await store.expect(
      Folder.order { $0.id }.select { ($0.id, $0.subtree.sum(\.size)) },
      sql: """
        SELECT "folder"."id", coalesce((WITH RECURSIVE "sanderling_descendants"("k0") AS
        (SELECT "folder"."id" UNION SELECT "folder2"."id" FROM "sanderling_descendants" CROSS JOIN "folder" AS
        "folder2" ON "folder2"."parentID" = "sanderling_descendants"."k0") SELECT SUM("folder2"."size")
        FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2" ON "folder2"."id" =
        "sanderling_descendants"."k0"), 0)
        FROM "folder"
        ORDER BY "folder"."id"
        """,
      rows: """
        1 | 1111
        2 | 110
        3 | 100
        4 | 1000
        5 | 5
        6 | 66
        7 | 66
        """)
  }

  /// A filter before `recursive` ends the descent at a row. A filter after it selects among all descendants.
  @Test func filters() async throws {
    try await store.expect(
      Folder.order { $0.id }.select { ($0.id, $0.visible.count) },
      sql: """
        SELECT "folder"."id", (WITH RECURSIVE "sanderling_descendants"("k0") AS (SELECT "folder2"."id"
        FROM "folder" AS "folder2" WHERE "folder2"."parentID" = "folder"."id"
        AND ("folder2"."isHidden" = 0) UNION SELECT "folder2"."id"
        FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2" ON "folder2"."parentID" =
        "sanderling_descendants"."k0" WHERE "folder2"."isHidden" = 0) SELECT COUNT(*)
        FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2" ON "folder2"."id" =
        "sanderling_descendants"."k0")
        FROM "folder"
        ORDER BY "folder"."id"
        """,
      rows: """
        1 | 1
        2 | 1
        3 | 0
        4 | 0
        5 | 1
        6 | 2
        7 | 2
        """)
    try await store.expect(
      Folder.order { $0.id }.select { ($0.id, $0.hidden.count, $0.descendants.filter { $0.isHidden }.count) },
      sql: """
        SELECT "folder"."id", (WITH RECURSIVE "sanderling_descendants"("k0") AS (SELECT "folder2"."id"
        FROM "folder" AS "folder2" WHERE "folder2"."parentID" = "folder"."id" UNION SELECT "folder2"."id"
        FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2" ON "folder2"."parentID" =
        "sanderling_descendants"."k0") SELECT COUNT(*) FROM "sanderling_descendants" CROSS JOIN "folder" AS
        "folder2" ON "folder2"."id" = "sanderling_descendants"."k0"
        WHERE ("folder2"."isHidden" = 1)), (WITH RECURSIVE "sanderling_descendants"("k0") AS
        (SELECT "folder2"."id" FROM "folder" AS "folder2" WHERE "folder2"."parentID" = "folder"."id"
        UNION SELECT "folder2"."id" FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2" ON
        "folder2"."parentID" = "sanderling_descendants"."k0") SELECT COUNT(*)
        FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2" ON "folder2"."id" =
        "sanderling_descendants"."k0" WHERE ("folder2"."isHidden" = 1))
        FROM "folder"
        ORDER BY "folder"."id"
        """,
      rows: """
        1 | 1 | 1
        2 | 0 | 0
        3 | 0 | 0
        4 | 0 | 0
        5 | 0 | 0
        6 | 0 | 0
        7 | 0 | 0
        """)
    try await store.expect(
      Folder.where { $0.descendants.contains { $0.size == 100 } }.order { $0.id }.select { $0.id },
      sql: """
        SELECT "folder"."id"
        FROM "folder"
        WHERE EXISTS (WITH RECURSIVE "sanderling_descendants"("k0") AS (SELECT "folder2"."id"
        FROM "folder" AS "folder2" WHERE "folder2"."parentID" = "folder"."id" UNION SELECT "folder2"."id"
        FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2" ON "folder2"."parentID" =
        "sanderling_descendants"."k0") SELECT 1 FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2"
        ON "folder2"."id" = "sanderling_descendants"."k0" WHERE ("folder2"."size" = ?))
        ORDER BY "folder"."id"
        -- 100
        """,
      rows: """
        1
        2
        """)
  }

  @Test func nested() async throws {
    try await store.expect(
      Folder.order { $0.id }.select { ($0.id, $0.descendants.sum { $0.descendants.count }) },
      sql: """
        SELECT "folder"."id", coalesce((WITH RECURSIVE "sanderling_descendants"("k0") AS
        (SELECT "folder2"."id" FROM "folder" AS "folder2" WHERE "folder2"."parentID" = "folder"."id"
        UNION SELECT "folder2"."id" FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2" ON
        "folder2"."parentID" = "sanderling_descendants"."k0") SELECT SUM((WITH RECURSIVE
        "sanderling_descendants"("k0") AS (SELECT "folder3"."id" FROM "folder" AS "folder3"
        WHERE "folder3"."parentID" = "folder2"."id" UNION SELECT "folder3"."id"
        FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder3" ON "folder3"."parentID" =
        "sanderling_descendants"."k0") SELECT COUNT(*) FROM "sanderling_descendants" CROSS JOIN "folder" AS
        "folder3" ON "folder3"."id" = "sanderling_descendants"."k0"))
        FROM "sanderling_descendants" CROSS JOIN "folder" AS "folder2" ON "folder2"."id" =
        "sanderling_descendants"."k0"), 0)
        FROM "folder"
        ORDER BY "folder"."id"
        """,
      rows: """
        1 | 1
        2 | 0
        3 | 0
        4 | 0
        5 | 1
        6 | 4
        7 | 4
        """)
  }
}
