extension GuideCode {
  /// The guides that are compiled with their own declarations. ``GuideCompilationTests`` names the other guides.
  static let guides = [
    GuideCode(
      path: "Sanderling/Documentation.docc/Sanderling.md", count: 1, declarations: imports, values: "let path = \"\""),
    GuideCode(
      path: "Sanderling/Documentation.docc/StoringRecords.md", count: 6,
      declarations: records + """
        enum Cents {
          static var columnType: ColumnType { .integer }
          static func encode(_ value: Decimal) throws -> StorageValue { .null }
          static func decode(_ stored: StorageValue) throws -> Decimal { 0 }
        }
        """,
      values: "let pattern = \"\"", replacements: ["{ … }": "{}"]),
    GuideCode(
      path: "Sanderling/Documentation.docc/WritingQueries.md", count: 17,
      declarations: "import GRDB\n" + records + """
        struct Address: Codable {
          var city: String
          var floors: [Int]
        }

        @Record
        struct Contact {
          var id: Int
          var name: String
          @Stored(as: .json) var address: Address
          @Stored(as: .json) var labels: [String] = []
        }

        @Projection(of: Project.self)
        struct ProjectName {
          var name: String
        }

        enum TaskFilter { case all, open, overdue }
        """,
      values: """
        let path = "", store: Store = given(), garden: UUID = given(), now = Date(), endOfMonth = Date(), words = [""], filter = TaskFilter.all
        let projectID: UUID? = nil, byDay: Condition<TodoTask>? = nil, bySearch: Condition<TodoTask>? = nil
        """, separateBlocks: [12], replacements: ["{ … }": "{ _ = task; _ = project }"]),
    GuideCode(
      path: "Sanderling/Documentation.docc/Opening.md", count: 2, declarations: "import GRDB\n" + records,
      values: "let inboxID = UUID(), key = Data(); var configuration = Configuration()",
      // Only a build with SQLCipher has `usePassphrase`.
      replacements: ["try db.usePassphrase(key)": "_ = (db, key)"]),
    GuideCode(
      path: "Sanderling/Documentation.docc/Schema.md", count: 6, declarations: "import GRDB\n" + records,
      values: """
        let path = "", schema: [any StoredRecord.Type] = [], migrator = DatabaseMigrator()
        let firstRows: @Sendable (WriteTransaction) throws -> Void = { _ in }
        """),
    GuideCode(
      path: "Sanderling/Documentation.docc/Predicates.md", count: 3, declarations: records,
      values: "let input = \"\", name = \"\""),
    GuideCode(
      path: "Sanderling/Documentation.docc/WithGRDB.md", count: 5, declarations: "import GRDB\n" + records,
      values:
        "let store: Store = given(), db: Database = given(), task: TodoTask = given(), path = \"\", schema: [any StoredRecord.Type] = []",
      // The last block is a part of a manifest.
      leftOut: [4]),
    GuideCode(
      path: "Sanderling/Documentation.docc/ComingFromGRDB.md", count: 13,
      declarations: """
        import Foundation
        import GRDB
        import Observation
        import Sanderling

        struct Team: Codable, Sendable, FetchableRecord, PersistableRecord {
          var id: Int64
          var name: String
          static let players = hasMany(Player.self)
          static let matches = hasMany(Match.self)
        }

        struct Player: Codable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
          var id: Int64
          var teamID: Int64
          var name: String
          var score: Int
        }

        struct Match: Codable, Sendable, TableRecord {
          var id: Int64
          var teamID: Int64
          var goals: Int
        }

        struct TeamInfo: Decodable, Sendable, FetchableRecord {
          var team: Team
          var players: [Player]
        }

        struct Board: Sendable {
          var best: Player?
          var count: Int
        }

        @Record("team")
        struct TeamRecord {
          var id: Int64
          var name: String
          static let players = hasMany(PlayerRecord.self, by: \\.teamID)
        }

        @Record("player")
        struct PlayerRecord {
          var id: Int64
          @References(TeamRecord.self, onDelete: .cascade) var teamID: Int64
          var name: String
          var score: Int
        }

        """,
      values: "let store: Store = given(), pool: DatabasePool = given(), limit = 1", separateBlocks: [2]),
    GuideCode(
      path: "Sanderling/Documentation.docc/ComingFromCoreData.md", count: 5,
      declarations: imports + """
        let schema: [any StoredRecord.Type] = [], newSchema: [any StoredRecord.Type] = []
        let storeURL = URL(filePath: "/"), oldPath = "", newPath = ""
        let move: StoreMove = given()
        """, separateBlocks: [3]),
    GuideCode(
      path: "Sanderling/Documentation.docc/ComingFromSwiftData.md", count: 1,
      declarations: imports + "let storeURL = URL(filePath: \"/\")\n"),
    GuideCode(
      path: "Sanderling/Documentation.docc/ComingFromRealm.md", count: 3,
      declarations: imports + "import SanderlingSync\n"),
    GuideCode(
      path: "Sanderling/Documentation.docc/ComingFromSQLiteData.md", count: 2, declarations: "import GRDB\n" + imports,
      values: "let database: any DatabaseWriter = given()"),
    // The code for readers needs Apple's file coordination.
    GuideCode(
      path: "Sanderling/Documentation.docc/SharingAFile.md", count: 4, declarations: "import GRDB\n" + records,
      leftOut: [1]),
    GuideCode(
      path: "Sanderling/Documentation.docc/KeepingAHistory.md", count: 2, declarations: imports,
      values: "let store: Store = given(); var token: ChangeToken = given()"),
    GuideCode(
      path: "Sanderling/Documentation.docc/Operations.md", count: 1,
      declarations: records + "func expect(_ isTrue: Bool) {}",
      values: "let store: Store = given(), query = TodoTask.order { $0.title }, url: URL = given()",
      replacements: ["#expect": "expect"]),
    GuideCode(
      path: "Sanderling/Documentation.docc/LiveQueries.md", count: 1, declarations: records,
      values: "let store: Store = given()"),
    GuideCode(
      path: "SanderlingDiagnosis/Documentation.docc/SanderlingDiagnosis.md", count: 1,
      declarations: "import Foundation\nimport SanderlingDiagnosis", values: "let url: URL = given()"),
    GuideCode(
      path: "SanderlingDiagnosis/Documentation.docc/DiagnosingADatabase.md", count: 1,
      declarations: "import Foundation\nimport SanderlingDiagnosis",
      values: "let url: URL = given(), workload: Workload = given()"),
    GuideCode(
      path: "SanderlingTesting/Documentation.docc/SanderlingTesting.md", count: 1,
      declarations: """
        \(imports)
        import SanderlingTesting

        @Record
        struct TodoTask {
          var id: Int
          var title: String
          var isCompleted = false
        }

        func expect(_ isTrue: Bool) {}
        """, replacements: ["#expect": "expect"]),
    GuideCode(
      path: "SanderlingSync/Documentation.docc/SanderlingSync.md", count: 1,
      declarations: "\(imports)\nimport SanderlingSync"),
    GuideCode(
      path: "SanderlingSync/Documentation.docc/Session.md", count: 5,
      declarations: notes + """
        import Observation

        struct ProgressView: PrimitiveView {
          init(_ title: String) {}
        }

        extension View {
          func refreshable(_ action: @escaping @Sendable () async -> Void) -> some View { self }
        }
        """,
      values: """
        let account: Account = given(), url: URL = given(), user = "", other = "", store: Store = given()
        let adapter: HTTPAdapter = given()
        let token: @Sendable (Bool) async throws -> String = { _ in "" }
        """, viewParameters: "_ account: Account, _ notes: [Note]", viewBlocks: [2, 3],
      replacements: ["List(notes) { … }": "List { ForEach(notes) { _ in Text(\"\") } }"]),
    GuideCode(
      path: "SanderlingSync/Documentation.docc/HTTP.md", count: 3,
      declarations: notes + """
        struct Account: Sendable {
          func token(renewed: Bool) async throws -> String { "" }
        }

        struct ServerIsBusy: Error { var seconds: Double }
        """,
      values:
        "let store: Store = given(), account = Account(), adapter: HTTPAdapter = given(); var options = HTTPOptions()"),
    GuideCode(
      path: "SanderlingSync/Documentation.docc/Files.md", count: 1,
      declarations: imports
        + "\nimport SanderlingSync\n\n@Record\nstruct Item {\n  var id: Int64\n  var price: Double\n}",
      values: "let store: Store = given()"),
    GuideCode(
      path: "SanderlingSync/Documentation.docc/Conflicts.md", count: 3, declarations: "import GRDB\n" + notes,
      values: """
        let store: Store = given(), session: SyncSession = given(), note: Note = given(), records: [SyncedRecord] = []
        let db: Database = given()
        """),
    GuideCode(
      path: "SanderlingSync/Documentation.docc/Pulling.md", count: 2, declarations: notes,
      values: "let store: Store = given(), session: SyncSession = given()"),
  ]

  private static let imports = "import Foundation\nimport Sanderling\n"

  private static let records = #"""
    import Foundation
    import Sanderling

    @Record
    struct Project {
      var id: UUID
      @References(Project.self, onDelete: .cascade) var parentID: UUID?
      var name: String
      var isClosed = false
      static let parent = belongsTo(Project.self, by: \.parentID)
      static let subprojects = hasMany(Project.self, by: \.parentID)
      static let children = hasMany(Project.self, by: \.parentID)
      static let tasks = hasMany(TodoTask.self, by: \.projectID)
      static let labels = hasMany(Label.self, by: \.projectID)
    }

    @Record
    struct TodoTask {
      var id: UUID
      @References(Project.self, onDelete: .cascade) var projectID: UUID
      var title: String
      var isCompleted = false
      var estimate: Int?
      var dueAt: Date?
      static let project = belongsTo(Project.self, by: \.projectID)
    }

    @Record
    struct Label {
      var id: UUID
      var projectID: UUID
      var name: String
    }

    @Projection(of: Project.self)
    struct ProjectSummary {
      var id: UUID
      var name: String
      var openTasks: Int
      static let openTasks = aggregate { $0.tasks.filter { !$0.isCompleted }.count }
    }

    """#

  private static let notes = #"""
    import Foundation
    import Sanderling
    import SanderlingSync

    @Record
    struct Note {
      var id: UUID
      var title: String
      var isPinned = false
      var draft = ""
    }

    """#
}
