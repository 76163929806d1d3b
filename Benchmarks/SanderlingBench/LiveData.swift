import Foundation
import Sanderling

/// The `todo` databases of the live suite, and their sizes.
struct LiveData: Sendable {
  let folder: String
  let isShort: Bool

  var taskCount: Int { isShort ? 4_000 : 100_000 }
  /// The number of projects in most cases: 100 tasks each.
  var projectCount: Int { isShort ? 100 : 1_000 }
  /// The number of projects in the cases with many projects.
  var manyProjectCount: Int { isShort ? 400 : 10_000 }
  var listCounts: (few: [Int], some: Int, many: Int) {
    isShort ? ([4], 40, 200) : ([1, 10, 100], 1_000, 10_000)
  }
  /// The number of lists that a server may have open.
  var serverListCount: Int { isShort ? 200 : 90_000 }
  /// The numbers of rows of the cases with a single list.
  var rowCounts: [Int] { isShort ? [100, 1_000] : [1_000, 10_000, 100_000, 300_000] }
  /// The number of lists that GRDB observes.
  var observationCount: Int { isShort ? 20 : 1_000 }
  /// The number of writes in a row, and of writes with pauses, in one round.
  var writeCounts: (together: Int, paused: Int) { isShort ? (20, 3) : (200, 25) }
  /// The number of writes in a round under GRDB's observations, where a write takes long.
  var observedWriteCount: Int { isShort ? 2 : 3 }
  /// The pause between two writes of an idle app.
  var pause: Duration { .milliseconds(isShort ? 2 : 20) }
  /// The time without a value after which GRDB's observations count as fully delivered.
  var quietTime: Duration { .milliseconds(isShort ? 20 : 100) }

  /// Makes the databases that all cases copy.
  init(folder: String, isShort: Bool) async throws {
    self.folder = folder
    self.isShort = isShort
    for count in [projectCount, manyProjectCount] {
      let store = try Store(path: template(count), schema: todoSchema)
      let taskCount = taskCount
      try await store.write("fill") { tx in
        try tx.insert(contentsOf: (1...count).map(Project.sample))
        try tx.insert(contentsOf: (0..<taskCount).map { TodoTask.sample($0, projectCount: count) })
        try tx.insert(
          contentsOf: (1...3 * count).map {
            Comment(id: Int64($0), projectID: Int64($0 % count + 1), body: "Comment \($0)")
          })
      }
      try store.close()
    }
  }

  private func template(_ projectCount: Int) -> String { "\(folder)/todo-\(projectCount).sqlite" }

  /// A separate database with the same rows.
  func copy(projectCount: Int? = nil) throws -> String {
    let path = "\(folder)/copy-\(UUID().uuidString).sqlite"
    try FileManager.default.copyItem(atPath: template(projectCount ?? self.projectCount), toPath: path)
    return path
  }

  func store(projectCount: Int? = nil, audit: LiveAudit = .off) throws -> Store {
    try Store(path: copy(projectCount: projectCount), schema: todoSchema, audit: audit)
  }

  /// The key of a task of the first project. The lists that a write must not concern leave this project out.
  func unconcerned(_ number: Int) -> Int64 {
    Int64(number % (taskCount / projectCount) * projectCount + 1)
  }
}

extension Project {
  /// The names are chosen so that their order is that of the keys.
  static func sample(_ number: Int) -> Project {
    Project(id: Int64(number), name: name(number), rank: number &* 7919 % 1009)
  }

  static func name(_ number: Int) -> String { String(format: "Project %06d", number) }
}

extension TodoTask {
  /// The task at a zero-based offset. The projects take tasks in turn, and every fifth task of each is completed.
  static func sample(_ offset: Int, projectCount: Int) -> TodoTask {
    let project = offset % projectCount + 1
    // The due times are distinct and in no order of insertion. Those of the first project are years after all others.
    let place = offset &* 7919 % 100_003
    return TodoTask(
      id: Int64(offset + 1), projectID: Int64(project), title: "Task \(offset &* 104_729 % 1_000_003)",
      isCompleted: offset / projectCount % 5 == 0, dueAt: due(project == 1 ? place + 1_000_000 : place))
  }

  /// The due time at a place, ten minutes after the due time at the previous place.
  static func due(_ place: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(place) * 600) }
}
