import Foundation
import GRDB
import Models
import Sanderling

/// Queries that run outside the main actor.
nonisolated struct Queries: Sendable {
  let store: Store

  func fetch(ids: [UUID], now: Date, text: String) async throws -> Int {
    let tasks = try await store.fetch(
      TodoTask.where { $0.id.in(ids) && $0.rank.in(1...9) && $0.dueAt.in(now..<now + 60) && $0.title != "x" })
    let due = try await store.fetch(
      TodoTask.where { $0.project.name.folded.hasPrefix(text) || $0.dueAt == nil }.limit(50, offset: 5))
    let tuples = try await store.fetch(
      Project.select { ($0.name, $0.tasks.count, $0.tasks.max(\.dueAt), $0.tasks.average(\.estimate), $0.parent.name) })
    let groups = try await store.fetch(
      TodoTask.group { $0.projectID }.select { ($0.projectID, $0.count(), $0.rank.sum(), $0.dueAt.max()) }
        .having { $0.count() > 3 })
    let first = try await store.fetchFirst(Project.where { p in p.children.contains { $0.name == p.name } })
    let one = try await store.fetch(Project.self, key: ids[0])
    let label = try await store.fetch(TaskLabel.self, key: TaskLabel.Key(taskID: ids[0], label: text))
    let rich = try await store.fetch(
      Project.order { $0.name }.with(
        Project.tasks.prefetch { $0.order { $0.dueAt.descending }.limit(3) }, Project.parent.prefetch()))
    let whole = try await store.fetch(
      TodoTask.where { $0.notes.exists }.select { ($0, $0.project, $0.project.parent, $0.siblings.count, $0.title) })
    let parts = try await store.fetch(TaskRow.where { $0.project.name == text }.order { $0.title })
    let noted = try await store.fetch(TodoTask.query.with(TodoTask.notes.prefetch { $0.order { $0.text }.limit(2) }))
    print(whole.first?.1.name ?? "", parts.first?.project.name ?? "", parts.first?.parent?.name ?? "", noted.count)
    for (project, tasks, parent) in rich { print(project.name, tasks.count, parent?.name ?? "") }
    let raw: RawSQL = "SELECT * FROM \(Project.self) WHERE name GLOB \(text)"
    let names = try await store.fetch(RawQuery("SELECT name, count(*) FROM project", as: String.self, Int.self))
    let byHand = try await store.fetch(Project.raw(raw))
    let byName = try await store.fetch(RawQuery(raw, as: Project.self))
    let counts = try await store.fetch(
      RawQuery("SELECT name, count(*) AS count FROM project GROUP BY 1", decoding: NameCount.self))
    let open = try await store.fetch(OpenTask.where { $0.task.title.hasPrefix(text) }.order { $0.title })
    print(byName.count, counts.map(\.count), open.map(\.id))
    let numbers = try await store.count(TodoTask.where { $0.effort / 2 + 1 > 3 && ($0.estimate ?? 0) % 2 == 0 })
    let exists = try await store.exists(
      Project.where { $0.descendants.sum { $0.tasks.count } > 10 && !$0.tasks.isEmpty })
    print(names.first?.0 ?? "", byHand.count, numbers, exists, try label?.key.label ?? "")
    return tasks.count + due.count + tuples.count + groups.count + rich.count + (first == nil ? 0 : 1)
      + (one == nil ? 0 : 1)
  }

  /// Fetches tuples and uses their parts at once.
  func titles() async throws -> [String] {
    let pairs = try await store.fetch(TodoTask.select { ($0.title, $0.rank) }).map {
      TitleAndRank(title: $0.0, rank: $0.1)
    }
    print(try await store.fetch(TodoTask.where { $0.rank > 1 }.select { ($0.title, $0.rank) }).count)
    let first = try await store.fetch(TodoTask.select { ($0.title, $0.rank) }).first?.0
    let three = try await store.fetch(TodoTask.select { ($0.title, $0.rank, $0.dueAt) }).filter { $0.2 != nil }.map {
      $0.0
    }
    return pairs.map(\.title) + three + (first.map { [$0] } ?? [])
  }

  /// Fetches trees of projects in projects.
  func trees(_ id: UUID) async throws -> [TreeNode<Project>] {
    let tree = Project.children.filter { $0.budget != Money(cents: 0) }.tree(from: id, maximumDepth: 5)
      .orderSiblings { ($0.name.descending, $0.id) }
    for row: TreeRow<Project> in try await store.fetch(tree.filter { $0.depth > 0 && $0.tasks.exists }) {
      print(row.depth, row.path.count, row.name, row.record.budget, row.id)
    }
    let levels = try await store.fetch(
      tree.order { ($0.depth, $0.name) }.select { ($0.name, $0.depth, $0.tasks.count) })
    let names = try await store.fetch(Project.children.ancestors(of: id).reversed().select { $0.name })
    let below = try await store.fetch(
      Project.limit(3).with(Project.descendants.prefetch { $0.order { $0.name }.limit(9) }))
    for await snapshot in store.snapshots(of: Project.children.tree().orderSiblings { $0.name }) {
      print(snapshot.rows.nested().count)
    }
    print(
      levels.count, names, below.count, try await store.count(tree), TreeRow(record: below[0].0, depth: 0, path: [id]))
    return try await store.fetch(tree).nested()
  }

  func writeUndoably(_ project: Project) async throws {
    let written = try await store.writeUndoably("rename") { tx in try tx.update(project) }
    if !written.inverse.isEmpty { print(written.inverse.name, written.inverse.rowCount, written.commit, written.value) }
    do {
      let redo: InverseWrite = try await store.undo(written.inverse)
      try await store.undo(redo, priority: .background)
    } catch UndoError.changedSince(let rows) {
      for row in rows { print(row.table, row.keys.count) }
    }
  }

  @MainActor func edit(_ stack: UndoStack, _ project: Project) async throws {
    try await stack.write("rename") { tx in try tx.update(project) }
    if stack.undoName != nil { try await stack.undo() }
    if stack.redoName != nil { try await stack.redo() }
    stack.removeAll()
  }

  func writeWithoutName(_ project: Project) async throws {
    try await store.write { tx in try tx.insert(project) }
    try store.writeBlocking { tx in _ = try tx.update(project) }
  }

  func write(_ project: Project, _ tasks: [TodoTask]) async throws -> Commit {
    let written: Written<Int64> = try await store.writeWithCommit("import", priority: .background) { tx in
      try tx.insert(project)
      let insertion = try tx.insert(contentsOf: tasks)
      if try tx.upsert(project, onConflict: \.name) == .inserted { print("new") }
      let outcomes = try tx.upsert(contentsOf: tasks, updating: \.title, \.isCompleted)
      print(outcomes.insertedCount, try tx.upsertAndFetch(project, onConflict: \.name, updating: \.budget).name)
      if let key = try tx.insert(project, onConflict: .ignore) { print(key) }
      print(try tx.insert(contentsOf: tasks, onConflict: .ignore(on: \.projectID, \.title)).ignoredCount)
      print(try tx.insertAndFetch(tasks[0]).title)
      try tx.update(Project.self, key: project.id) { $0.budget = Money(cents: 5) }
      try tx.update(TodoTask.where { $0.rank > 3 }, .set(\.isCompleted, to: true), .set(\.rank) { $0.rank + 1 })
      try tx.delete(TodoTask.where { $0.isCompleted && $0.status == .closed })
      try tx.delete(Project.self, key: project.id)
      _ = try tx.savepoint { try tx.execute("DELETE FROM \(Note.self) WHERE \(insertion.rowCount) > 3") }
      try tx.delete(Note.self, key: 1)
      if try tx.restore(Note.self, key: 1) { print(try tx.purge(Note.unscoped.where { $0.deletedAt != nil })) }
      let found = try tx.find(Project.self, key: project.id)
      try tx.forEach(TodoTask.query.distinct()) { print($0.title, found.name) }
      return try tx.insert(Note(taskID: tasks[0].id, label: "a", text: "b"))
    }
    return max(written.commit, store.lastCommit)
  }

  func follow() async throws {
    for await snapshot in store.snapshots(of: TodoTask.query, window: 10) where snapshot.state.isCurrent {
      print(snapshot.elements.count, snapshot.commit?.number ?? 0)
    }
    for await change in store.changes(of: Project.order { $0.name }) { print(change.difference.count) }
    for await count in store.counts(of: Project.query) { print(count.value ?? 0) }
    for await name in store.values(of: Project.select { $0.name }) { print(name.value ?? "") }
  }

  func explain() async throws -> String {
    let (rows, statements) = try await store.record { try await store.fetch(ProjectSummary.order { $0.lastDueAt }) }
    let explanation = try await ProjectSummary.query.explainLive(store)
    return "\(rows.count) \(statements.map(\.sql)) \(explanation.reason ?? "") \(try Project.query.sql)"
  }

  /// Reads records through plain GRDB.
  func plain() async throws -> [TodoTask] {
    try await StoreOperation.run("plain") {
      try await store.writer.read { db in
        try TodoTask.fetchAll(db, sql: "SELECT * FROM task")
          + GRDBRecord<TodoTask>.filter(Column("isCompleted") == false).fetchAll(db).map(\.record)
      }
    }
  }
}

nonisolated struct TitleAndRank {
  var title: String
  var rank: Int
}

/// A row of handwritten SQL.
nonisolated struct NameCount: Decodable, Sendable {
  var name: String
  var count: Int
}
