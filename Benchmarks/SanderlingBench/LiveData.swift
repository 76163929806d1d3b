import Foundation
import Sanderling

/// The `todo` databases of the live suite, and how much of everything there is.
struct LiveData: Sendable {
  let folder: String
  let isShort: Bool

  var taskCount: Int { isShort ? 4_000 : 100_000 }
  /// The projects of most cases: 100 tasks each.
  var projectCount: Int { isShort ? 100 : 1_000 }
  /// The projects of the cases about many.
  var manyProjectCount: Int { isShort ? 400 : 10_000 }
  var listCounts: (few: [Int], some: Int, many: Int) {
    isShort ? ([4], 40, 200) : ([1, 10, 100], 1_000, 10_000)
  }
  /// As many lists as a server may have open.
  var serverListCount: Int { isShort ? 200 : 90_000 }
  /// The lengths of single lists.
  var rowCounts: [Int] { isShort ? [100, 1_000] : [1_000, 10_000, 100_000, 300_000] }
  /// How many lists GRDB observes.
  var observationCount: Int { isShort ? 20 : 1_000 }
  /// Writes in a row, and writes with pauses between them, in one round.
  var writeCounts: (together: Int, paused: Int) { isShort ? (20, 3) : (200, 25) }
  /// The same for GRDB's observations, whose writes take long.
  var observedWriteCount: Int { isShort ? 2 : 3 }
  /// Between writes of an idle app.
  var pause: Duration { .milliseconds(isShort ? 2 : 20) }
  /// After how long without a value GRDB's observations are taken to have delivered all.
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

  /// A database of its own with the same rows.
  func copy(projectCount: Int? = nil) throws -> String {
    let path = "\(folder)/copy-\(UUID().uuidString).sqlite"
    try FileManager.default.copyItem(atPath: template(projectCount ?? self.projectCount), toPath: path)
    return path
  }

  func store(projectCount: Int? = nil, audit: LiveAudit = .off) throws -> Store {
    try Store(path: copy(projectCount: projectCount), schema: todoSchema, audit: audit)
  }

  /// The key of a task of the first project, which no list is about that writes don't concern.
  func unconcerned(_ number: Int) -> Int64 {
    Int64(number % (taskCount / projectCount) * projectCount + 1)
  }
}

extension Project {
  /// Named so that the order of names is that of keys.
  static func sample(_ number: Int) -> Project {
    Project(id: Int64(number), name: name(number), rank: number &* 7919 % 1009)
  }

  static func name(_ number: Int) -> String { String(format: "Project %06d", number) }
}

extension TodoTask {
  /// The task at an offset from zero. The projects take tasks in turn; every fifth task of each is completed.
  static func sample(_ offset: Int, projectCount: Int) -> TodoTask {
    let project = offset % projectCount + 1
    // No order of insertion, no two alike, and those of the first project years after all others.
    let place = offset &* 7919 % 100_003
    return TodoTask(
      id: Int64(offset + 1), projectID: Int64(project), title: "Task \(offset &* 104_729 % 1_000_003)",
      isCompleted: offset / projectCount % 5 == 0, dueAt: due(project == 1 ? place + 1_000_000 : place))
  }

  /// Ten minutes after the one before.
  static func due(_ place: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(place) * 600) }
}
