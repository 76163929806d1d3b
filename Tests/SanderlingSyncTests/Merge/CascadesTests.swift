import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Rows that are deleted with a row that the server deleted are no local deletions: no deletion is sent for them.
/// Pending changes of those rows are logged as conflicts.
@Suite struct CascadesTests {
  @Record("folders") struct Folder {
    @PrimaryKey var id: String
    var name: String
  }

  @Record("files") struct File {
    @PrimaryKey var id: String
    @References(Folder.self, onDelete: .cascade) var folder: String
    var name: String
  }

  @Record("pages") struct Page {
    @PrimaryKey var id: String
    @References(File.self, onDelete: .cascade) var file: String
    var text: String
  }

  private static let records = [SyncedRecord(Folder.self), SyncedRecord(File.self), SyncedRecord(Page.self)]

  private struct Sink: SyncSink {
    let sent = NotedMutations()
    let outcome: MutationOutcome

    func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
      sent.note(mutations)
      return mutations.map { _ in outcome }
    }
  }

  /// The server's rows: two folders, and in the first folder a file with two pages.
  private static let beginning = SyncBatch([
    SyncChange("folders", key: [.text("a")], .row(["name": .text("A")])),
    SyncChange("folders", key: [.text("b")], .row(["name": .text("B")])),
    SyncChange("files", key: [.text("f")], .row(["folder": .text("a"), "name": .text("F")])),
    SyncChange("pages", key: [.text("1")], .row(["file": .text("f"), "text": .text("one")])),
    SyncChange("pages", key: [.text("2")], .row(["file": .text("f"), "text": .text("two")])),
  ])

  /// Runs a user's statements, then pulls the server's deletion of a folder. Returns the final rows, the logged losses
  /// and the sent mutations.
  private func run(
    _ statements: String, thenDeleting folder: String
  ) async throws -> (rows: [String], lost: [String], sent: [Mutation]) {
    let store = try Store(inMemory: [Folder.self, File.self, Page.self])
    let refusing = Sink(outcome: .failed("not now"))
    var options = SyncOptions()
    options.backoff = PushBackoff(first: .zero, attempts: 1)
    try await SyncSession(
      "test", store: store, records: Self.records, source: BatchSource([Self.beginning]), sink: refusing,
      options: options
    ).run()
    try await store.write { try $0.database.execute(sql: statements) }
    let deletion = SyncBatch([SyncChange("folders", key: [.text(folder)], .deletion)])
    // The deletion is pulled before the user's changes are acknowledged.
    try await Self.pull(BatchSource([Self.beginning, deletion]), store, refusing, options)
    let sink = Sink(outcome: .acknowledged())
    try await Self.pull(BatchSource([Self.beginning, deletion]), store, sink, options)
    let (rows, lost) = try await store.read { tx in
      let rows = try String.fetchAll(
        tx.database,
        sql:
          "SELECT id || ':' || folder || ':' || name FROM files UNION ALL SELECT id || ':' || text FROM pages ORDER BY 1"
      )
      return (rows, try String.fetchAll(tx.database, sql: "SELECT key FROM sanderling_sync_conflicts ORDER BY key"))
    }
    return (rows, lost, sink.sent.all)
  }

  private static func pull(
    _ source: BatchSource, _ store: Store, _ sink: Sink, _ options: SyncOptions
  ) async throws {
    try await SyncSession("test", store: store, records: records, source: source, sink: sink, options: options).run()
  }

  @Test func pendingChangesOfCascadedRowsAreLogged() async throws {
    let (rows, lost, sent) = try await run(
      "INSERT INTO pages VALUES ('3', 'f', 'three'); INSERT INTO files VALUES ('g', 'a', 'G')", thenDeleting: "a")
    #expect(rows == [])
    #expect(lost == [#"["3"]"#, #"["g"]"#])
    // The insertions were already being sent, so they are sent again unchanged. No deletions are sent.
    #expect(Set(sent.map(\.key)) == [[.text("3")], [.text("g")]])
    #expect(sent.allSatisfy { $0.isInsertion })
  }

  /// A file that the user moved into a folder which another client deleted returns to its folder at the server.
  @Test func fileMovedIntoADeletedFolderReturnsToItsServerFolder() async throws {
    let (rows, lost, sent) = try await run("UPDATE files SET folder = 'b', name = 'moved'", thenDeleting: "b")
    #expect(rows == ["1:one", "2:two", "f:a:F"])
    #expect(lost == [#"["f"]"#])
    #expect(!sent.contains { $0.content == .deletion })
  }

  /// Runs a user's statements beside edits of other clients. Returns the store's files once the store equals the
  /// server.
  private func run(_ statements: String, beside edits: (MemoryServer) async -> Void) async throws -> [String] {
    let store = try Store(inMemory: [Folder.self, File.self, Page.self])
    let connection = MemoryServerConnection(server: MemoryServer(.ifMatch), isSlow: true)
    for change in Self.beginning.changes {
      guard case .row(let values) = change.content else { continue }
      await connection.server.edit(change.record, change.key, values.merging(["id": change.key[0]]) { $1 })
    }
    for round in 0..<3 {
      try await SyncSession(
        "test", store: store, records: Self.records, source: connection, sink: connection
      ).run()
      if round > 0 { continue }
      try await store.write { try $0.database.execute(sql: statements) }
      await edits(connection.server)
    }
    let waiting = try await store.count("SELECT count(*) FROM sanderling_sync_parked")
    #expect(waiting == 0)
    let server = await connection.server.rows
    for (record, columns) in [("folders", ["name"]), ("files", ["folder", "name"]), ("pages", ["file", "text"])] {
      let rows = try await store.read { tx in
        try GRDB.Row.fetchAll(tx.database, sql: "SELECT * FROM \(record) ORDER BY id").map { row in
          ([row["id"] as String] + columns.map { row[$0] as String }).joined(separator: ":")
        }
      }
      let wanted = server.filter { $0.key.record == record }.map { key, row in
        ([key.values[0]] + columns.map { row[$0] ?? .null }).map { if case .text(let text) = $0 { text } else { "" } }
          .joined(separator: ":")
      }
      #expect(rows == wanted.sorted())
    }
    return try await store.read { tx in
      try String.fetchAll(tx.database, sql: "SELECT id || ':' || folder || ':' || name FROM files ORDER BY id")
    }
  }

  /// A file comes back with its pages when the server restores its folder. The user had moved the file into a folder
  /// that another client deleted, and had deleted the file's folder at the server. Another client then changed the file
  /// and that folder.
  @Test func fileComesBackWhenTheServerRestoresItsFolder() async throws {
    let files = try await run("UPDATE files SET folder = 'b'; DELETE FROM folders WHERE id = 'a'") { server in
      await server.edit("files", [.text("f")], ["id": .text("f"), "folder": .text("a"), "name": .text("theirs")])
      await server.edit("folders", [.text("b")], nil)
      await server.edit("folders", [.text("a")], ["id": .text("a"), "name": .text("theirs")])
    }
    #expect(files == ["f:a:theirs"])
  }

  /// A file that another client deleted later doesn't come back when its folder is restored. The user had moved the
  /// file into a folder that another client deleted, and had deleted the file's folder at the server.
  @Test func fileDeletedLaterDoesNotComeBackWithItsFolder() async throws {
    let files = try await run("UPDATE files SET folder = 'b'; DELETE FROM folders WHERE id = 'a'") { server in
      await server.edit("files", [.text("f")], ["id": .text("f"), "folder": .text("a"), "name": .text("theirs")])
      await server.edit("folders", [.text("b")], nil)
      for page in ["1", "2"] { await server.edit("pages", [.text(page)], nil) }
      await server.edit("files", [.text("f")], nil)
      await server.edit("folders", [.text("a")], ["id": .text("a"), "name": .text("theirs")])
    }
    #expect(files == [])
  }

  /// A file with a pending move isn't parked if a restarted source no longer lists the file and its new folder. The
  /// user had also deleted the file's former folder, which the source still lists.
  @Test func fileMissingFromARestartedSourceIsNotParked() async throws {
    let store = try Store(inMemory: [Folder.self, File.self, Page.self])
    let refusing = Sink(outcome: .failed("not now"))
    // The source leaves out all rows but one.
    var options = SyncOptions(allowsMassDeletion: true)
    options.backoff = PushBackoff(first: .zero, attempts: 1)
    try await Self.pull(BatchSource([Self.beginning]), store, refusing, options)
    try await store.write { tx in
      try tx.database.execute(sql: "UPDATE files SET folder = 'b', name = 'mine'; DELETE FROM folders WHERE id = 'a'")
    }
    let anew = SyncBatch(
      [SyncChange("folders", key: [.text("a")], .row(["name": .text("A")]))], isCheckpoint: true, restarts: true)
    try await Self.pull(BatchSource([Self.beginning, anew]), store, refusing, options)
    #expect(try await store.count("SELECT count(*) FROM files") == 0)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_parked") == 0)
  }

  /// A page is deleted with its file, which the server deleted although the user had changed it. The page was not
  /// deleted by the user, so it is not parked.
  @Test func rowsDeletedWithAChangedParentAreNotParked() async throws {
    let store = try Store(inMemory: [Folder.self, File.self, Page.self])
    let refusing = Sink(outcome: .refused("never"))
    func pull(_ batches: [SyncBatch]) async throws {
      let records = Self.records.map { record in
        record.name == "files" ? SyncedRecord(File.self, conflicts: .merge.deletions(.deletionWins)) : record
      }
      try await SyncSession(
        "test", store: store, records: records, source: BatchSource(batches), sink: refusing
      ).run()
    }
    try await pull([Self.beginning])
    let change = "UPDATE files SET name = 'mine'; UPDATE pages SET text = 'mine' WHERE id = '1'"
    try await store.write { try $0.database.execute(sql: change) }
    try await pull([Self.beginning, SyncBatch([SyncChange("files", key: [.text("f")], .deletion)])])
    try await pull([Self.beginning, SyncBatch([SyncChange("files", key: [.text("f")], .deletion)])])
    #expect(try await store.count("SELECT count(*) FROM files") == 0)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_parked") == 0)
  }

  /// A page that another client changed is deleted at the server, because the user deleted the page's file.
  @Test func deletingAFileDeletesItsChangedPageAtTheServer() async throws {
    let store = try Store(inMemory: [Folder.self, File.self, Page.self])
    let connection = MemoryServerConnection(server: MemoryServer(.ifMatch, parents: ["pages": ("file", "files")]))
    func edit(_ record: String, _ row: [String: StorageValue]) async {
      guard let id = row["id"] else { return }
      await connection.server.edit(record, [id], row)
    }
    func run() async throws {
      var options = SyncOptions()
      options.pushBatchSize = 1
      try await SyncSession(
        "test", store: store, records: Self.records, source: connection, sink: connection, options: options
      ).run()
    }
    await edit("folders", ["id": .text("a"), "name": .text("A")])
    await edit("files", ["id": .text("f"), "folder": .text("a"), "name": .text("F")])
    await edit("pages", ["id": .text("1"), "file": .text("f"), "text": .text("one")])
    try await run()
    try await store.write { try $0.database.execute(sql: "DELETE FROM files") }
    await edit("pages", ["id": .text("1"), "file": .text("f"), "text": .text("theirs")])
    for _ in 0..<2 { try await run() }
    let (waiting, lost) = try await store.read { tx in
      (
        try Outbox(name: "test", records: Self.records).isEmpty(tx.database)
          && Int.fetchOne(tx.database, sql: "SELECT count(*) FROM sanderling_sync_parked") == 0,
        try String.fetchAll(tx.database, sql: "SELECT side || key || lost FROM sanderling_sync_conflicts")
      )
    }
    #expect(waiting)
    #expect(lost.contains { $0.hasPrefix(#"server["1"]"#) && $0.contains("theirs") }, "\(lost)")
    #expect(await connection.server.rows.keys.map(\.record) == ["folders"])
  }

  /// A row that left the device is kept until its pending change is settled. It is not restored when a deletion at the
  /// server removes it with its parent.
  @Test func departedRowIsNotRestoredAfterACascade() async throws {
    let store = try Store(inMemory: [Folder.self, File.self, Page.self])
    let refusing = Sink(outcome: .refused("never"))
    let first = SyncBatch(
      Self.beginning.changes + [
        SyncChange("files", key: [.text("g")], .row(["folder": .text("b"), "name": .text("G")]))
      ])
    try await Self.pull(BatchSource([first]), store, refusing, SyncOptions())
    try await store.write { try $0.database.execute(sql: "UPDATE pages SET file = 'g' WHERE id = '1'") }
    let departure = SyncBatch([SyncChange("pages", key: [.text("1")], .departure)])
    let deletion = SyncBatch([SyncChange("folders", key: [.text("b")], .deletion)])
    try await Self.pull(BatchSource([first]), store, refusing, SyncOptions())
    try await Self.pull(BatchSource([first, departure]), store, refusing, SyncOptions())
    #expect(try await store.count("SELECT count(*) FROM pages WHERE id = '1' AND file = 'g'") == 1)
    try await Self.pull(BatchSource([first, departure, deletion]), store, refusing, SyncOptions())
    #expect(try await store.count("SELECT count(*) FROM pages WHERE id = '1'") == 0)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_versions_pages WHERE k0 = '1'") == 0)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_conflicts WHERE key = '[\"1\"]'") > 0)
  }

  @Record("branches") struct Branch: Equatable {
    @PrimaryKey var id: String
    @References(Branch.self, onDelete: .cascade) var parent: String?
    var name: String
  }

  private static func branch(_ id: String, in parent: String?) -> SyncChange {
    SyncChange(
      "branches", key: [.text(id)], .row(["parent": parent.map { .text($0) } ?? .null, "name": .text(id)]))
  }

  /// A folder that the user moved below its own child returns to its place at the server if the server deletes that
  /// child. The cycle of references is no reason to keep the child.
  @Test func folderMovedBelowItsDeletedChildReturnsToItsServerPlace() async throws {
    let store = try Store(inMemory: [Branch.self])
    let refusing = Sink(outcome: .failed("not now"))
    var options = SyncOptions()
    options.backoff = PushBackoff(first: .zero, attempts: 1)
    let beginning = SyncBatch([Self.branch("x", in: nil), Self.branch("y", in: "x"), Self.branch("z", in: "y")])
    let deletion = SyncBatch([SyncChange("branches", key: [.text("y")], .deletion)])
    for (source, statement) in [
      (BatchSource([beginning]), "UPDATE branches SET parent = 'y' WHERE id = 'x'"),
      (BatchSource([beginning, deletion]), "SELECT 1"),
    ] {
      try await SyncSession(
        "test", store: store, records: [SyncedRecord(Branch.self)], source: source, sink: refusing, options: options
      ).run()
      try await store.write { try $0.database.execute(sql: statement) }
    }
    #expect(try await store.fetch(Branch.query) == [Branch(id: "x", parent: nil, name: "x")])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_conflicts WHERE key = '[\"x\"]'") > 0)
  }
}
