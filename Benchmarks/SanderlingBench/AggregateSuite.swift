import Foundation
import GRDB
import SanderlingSQLite
import Sanderling

/// Three counts of associated rows, as in a problem reported from an app: a join multiplies the tasks of one project by
/// its comments.
struct AggregateSuite: CaseSuite {
  static let name = "aggregate"

  /// A database of 1,000 ordinary projects and one big project, whose size the profile gives.
  private struct Profile {
    let name: String
    let completed: Int
    let open: Int
    let comments: Int
    let store: Store
    let connection: CConnection

    init(_ name: String, completed: Int, open: Int, comments: Int, folder: String) async throws {
      (self.name, self.completed, self.open, self.comments) = (name, completed, open, comments)
      let path = "\(folder)/\(name).sqlite"
      store = try Store(path: path, schema: todoSchema)
      try await store.write("fill") { tx in
        var (task, comment): (Int64, Int64) = (0, 0)
        for number in 1...1000 {
          let isBig = number == 500
          let id = Int64(number)
          // The rank differs from the order of insertion, and no index serves it.
          try tx.insert(Project(id: id, name: "Project \(number)", rank: number &* 7919 % 1009))
          for index in 0..<(isBig ? completed + open : 12) {
            task += 1
            let isCompleted = isBig ? index < completed : index < 4
            try tx.insert(TodoTask(id: task, projectID: id, title: "Task \(index)", isCompleted: isCompleted))
          }
          for index in 0..<(isBig ? comments : 3) {
            comment += 1
            try tx.insert(Comment(id: comment, projectID: id, body: "Comment \(index)"))
          }
        }
      }
      connection = try CConnection(path)
    }
  }

  private let profiles: [Profile]
  private let repetitions: Int

  init(folder: String, isShort: Bool) async throws {
    repetitions = isShort ? 5 : 100
    profiles = try await [
      Profile("todo-reported", completed: 114, open: 281, comments: 4, folder: folder),
      Profile("todo-large", completed: 100, open: 200, comments: 30, folder: folder),
    ]
  }

  var cases: [BenchmarkCase] {
    profiles.flatMap { [oneProject($0), page($0)] }
  }

  private static let counts = """
    (SELECT COUNT(*) FROM todoTask WHERE projectID = project.id AND isCompleted = 0), \
    (SELECT COUNT(*) FROM todoTask WHERE projectID = project.id AND isCompleted = 1), \
    (SELECT COUNT(*) FROM comment WHERE projectID = project.id)
    """

  private func oneProject(_ profile: Profile) -> BenchmarkCase {
    let (store, connection, repetitions) = (profile.store, profile.connection, repetitions)
    let query = ProjectSummary.where { $0.id == 500 }
    return BenchmarkCase(
      name: "\(profile.name): one project, three counts", unit: .microseconds,
      sanderling: {
        try store.readBlocking { tx in
          try seconds { for _ in 0..<repetitions { _ = try tx.fetch(query) } } / Double(repetitions)
        }
      },
      limit: {
        let statement = try connection.prepare("SELECT id, name, \(Self.counts) FROM project WHERE id = ?")
        defer { sqlite3_finalize(statement) }
        return seconds {
          for _ in 0..<repetitions {
            sqlite3_bind_int64(statement, 1, 500)
            _ = summaries(statement)
            sqlite3_reset(statement)
          }
        } / Double(repetitions)
      },
      peers: [
        (
          "GRDB annotated(with:)",
          {
            try store.writer.read { db in
              try seconds { _ = try Row.fetchAll(db, GRDBProject.annotated.filter(key: 500)) }
            }
          }
        )
      ])
  }

  private func page(_ profile: Profile) -> BenchmarkCase {
    let (store, connection, repetitions) = (profile.store, profile.connection, repetitions)
    let query = ProjectSummary.order { $0.rank }.limit(50)
    return BenchmarkCase(
      name: "\(profile.name): all projects by rank, limit 50", unit: .microseconds,
      sanderling: {
        try store.readBlocking { tx in
          try seconds { for _ in 0..<repetitions { _ = try tx.fetch(query) } } / Double(repetitions)
        }
      },
      limit: {
        let statement = try connection.prepare(
          """
          SELECT id, name, \(Self.counts) FROM (SELECT id AS k, rank AS r FROM project ORDER BY rank LIMIT 50) AS chosen \
          CROSS JOIN project ON project.id = chosen.k ORDER BY chosen.r
          """)
        defer { sqlite3_finalize(statement) }
        return seconds {
          for _ in 0..<repetitions {
            _ = summaries(statement)
            sqlite3_reset(statement)
          }
        } / Double(repetitions)
      },
      peers: [
        (
          "GRDB annotated(with:)",
          {
            try store.writer.read { db in
              try seconds { _ = try Row.fetchAll(db, GRDBProject.annotated.order(Column("rank")).limit(50)) }
            }
          }
        )
      ])
  }

  /// Reads all rows of a summary statement by hand.
  private func summaries(_ statement: OpaquePointer) -> [ProjectSummary] {
    var summaries: [ProjectSummary] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      summaries.append(
        ProjectSummary(
          id: sqlite3_column_int64(statement, 0), name: text(statement, 1),
          openTasks: Int(sqlite3_column_int64(statement, 2)), completedTasks: Int(sqlite3_column_int64(statement, 3)),
          comments: Int(sqlite3_column_int64(statement, 4))))
    }
    return summaries
  }
}

/// The same counts of associated rows by GRDB's own associations: one statement joins all tables.
private struct GRDBProject: TableRecord {
  static let databaseTableName = "project"
  static let open = hasMany(GRDBTask.self, using: ForeignKey(["projectID"])).filter(Column("isCompleted") == false)
    .forKey("open")
  static let completed = hasMany(GRDBTask.self, using: ForeignKey(["projectID"])).filter(Column("isCompleted") == true)
    .forKey("completed")
  static let comments = hasMany(GRDBComment.self, using: ForeignKey(["projectID"])).forKey("comments")

  static var annotated: QueryInterfaceRequest<GRDBProject> {
    annotated(with: open.count, completed.count, comments.count)
  }
}

private struct GRDBTask: TableRecord {
  static let databaseTableName = "todoTask"
}

private struct GRDBComment: TableRecord {
  static let databaseTableName = "comment"
}
