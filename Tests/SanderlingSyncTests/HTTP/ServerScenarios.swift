import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// The scenarios that the adapter of each server must pass.
struct ServerScenarios {
  let backend: Backend

  private func folderRow(_ id: Int) -> [String: ForeignValue] {
    ["id": .text(String(id)), "name": .text("folder \(id)"), "parentID": .null]
  }

  private func noteRow(_ id: String, folder: Int) -> [String: ForeignValue] {
    [
      "id": .text(id), "folderID": .integer(Int64(folder)), "title": .text("note \(id) “ü”"), "body": .null,
      "rank": .real(1.5), "isPinned": .bool(id.hasSuffix("7")),
    ]
  }

  /// A pull stores all rows of the server, page by page. A second pull writes nothing.
  func pulls() async throws {
    let records = TestRecords()
    let collections = try await backend.make(records)
    try await collections.fill(records.folder, (1...3).map(folderRow))
    let count = backend == .kinto ? 2_300 : 1_100
    try await collections.fill(records.note, (1...count).map { noteRow("n\($0)", folder: $0 % 3 + 1) })
    let device = try await TestDevice(collections)
    let estimates = Task { [updates = device.session.progress] in
      var estimates: [Int] = []
      for await progress in updates {
        if let remaining = progress.remaining { estimates.append(remaining) }
        if progress.phase == .idle, progress.counts.received > 0 { break }
      }
      return estimates
    }
    let first = try await device.session.run()
    let remaining = await estimates.value
    // The REST server doesn't count its rows.
    let isEstimated = remaining.allSatisfy { $0 < count } && remaining.last == 0 && remaining.contains { $0 > 0 }
    #expect(backend == .rest ? remaining.isEmpty : isEstimated, "\(remaining)")
    #expect(first.counts.written == count + 3 && first.counts.quarantined == 0 && first.waiting == 0)
    let note = try #require(try await device.store.fetch(Note.self, key: "n17"))
    #expect(note == Note(id: "n17", folderID: 3, title: "note n17 “ü”", body: nil, rank: 1.5, isPinned: true))
    #expect(try await device.session.run().isUnchanged)
    // Another client changes one row and deletes another.
    try await collections.edit(records.note, "n5", ["title": .text("changed"), "body": .text("text")])
    try await collections.edit(records.note, "n6", nil)
    let second = try await device.session.run()
    #expect(second.counts.written == 1 && second.counts.removed == 1)
    #expect(try await device.store.fetch(Note.self, key: "n5")?.body == "text")
    #expect(try await device.store.fetch(Note.self, key: "n6") == nil)
    #expect(try await TestDevice(collections).session.run().counts.written == count + 2)
  }

  /// Three devices have the same rows in the end: two make random changes, and a third device joins last.
  func exchanges() async throws {
    var generator = SeededGenerator()
    let comment: Testing.Comment = "SANDERLING_SEED=\(generator.seed)"
    let collections = try await backend.make(TestRecords())
    let devices = [try await TestDevice(collections), try await TestDevice(collections)]
    for round in 0..<24 {
      let device = generator.element(devices)
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        try await device.store.change(&generator)
      }
      if generator.chance(0.5) || round == 23 { try await device.session.run() }
    }
    for _ in 0..<3 { for device in devices { try await device.session.run() } }
    let rows = try await devices[0].rows
    #expect(!rows.isEmpty)
    #expect(try await devices[1].rows == rows, comment)
    for device in devices {
      let summary = try await device.session.run()
      #expect(summary.isUnchanged && summary.sent == SentCounts(), "\(summary) \(comment)")
    }
    let late = try await TestDevice(collections)
    try await late.session.run()
    #expect(try await late.rows == rows, comment)
  }

  /// Changes of different columns of a row are merged. Of two changes of one column, one is lost and logged.
  func merges() async throws {
    let collections = try await backend.make(TestRecords())
    let (first, second) = (try await TestDevice(collections), try await TestDevice(collections))
    try await first.store.write { tx in
      try tx.insert(Folder(id: 1, name: "one"))
      try tx.insert(Note(id: "a", folderID: 1, title: "one", rank: 0))
    }
    try await first.session.run()
    try await second.session.run()
    try await first.store.write { _ = try $0.update(Note.query, .set(\.title, to: "two")) }
    try await second.store.write {
      _ = try $0.update(Note.query, .set(\.body, to: "text"))
      _ = try $0.update(Folder.query, .set(\.name, to: "theirs"))
    }
    try await first.store.write { _ = try $0.update(Folder.query, .set(\.name, to: "ours")) }
    for device in [first, second, first, second] { try await device.session.run() }
    for store in [first.store, second.store] {
      let note = try await store.fetch(Note.query).first
      #expect(note?.title == "two" && note?.body == "text")
      #expect(try await store.fetch(Folder.query).first?.name == "theirs")
    }
    #expect(try await second.store.count("SELECT count(*) FROM sanderling_sync_conflicts") == 1)
  }

  /// A change that the server refuses for good is quarantined with the reason. The other changes are acknowledged.
  func refuses() async throws {
    let collections = try await backend.make(TestRecords())
    let device = try await TestDevice(collections)
    // Kinto refuses such an id; the other servers refuse a title of this length.
    let id = backend == .kinto ? "bad id!" : "b"
    let title = String(repeating: "long ", count: 20)
    try await device.store.write { tx in
      try tx.insert(Folder(id: 1, name: "one"))
      for note in ["a", id, "c"] {
        try tx.insert(Note(id: note, folderID: 1, title: note == id ? title : "short", rank: 0))
      }
    }
    let sent = try await device.session.run().sent
    #expect(sent?.refused == 1 && sent?.acknowledged == 3)
    let reasons = try await device.store.read { tx in
      try String.fetchAll(tx.database, sql: "SELECT reason FROM sanderling_sync_quarantine WHERE direction = 'push'")
    }
    #expect(reasons.count == 1 && reasons[0].hasPrefix("the server answered \(backend == .rest ? 422 : 400)"))
    let other = try await TestDevice(collections)
    try await other.session.run()
    #expect(try await other.store.count("SELECT count(*) FROM note") == 2)
  }

  /// Waits until a condition is true. The test's time limit ends an endless wait, and `failure` then says which
  /// condition failed.
  private func wait(_ failure: Comment, until isTrue: () async throws -> Bool) async throws {
    do {
      while try await !isTrue() { try await Task.sleep(for: .milliseconds(5)) }
    } catch is CancellationError {
      Issue.record(failure)
      throw CancellationError()
    }
  }

  /// Two devices that follow a server receive each other's changes at once, and their own changes leave the outbox at
  /// once. Neither needs the next poll, and a cancelled run ends without waiting for the next poll.
  func follows() async throws {
    let records = TestRecords()
    // The next poll of this device never comes, so it learns of changes only through events.
    var options = HTTPOptions()
    options.clock = ShortWaitsClock()
    let seldom = try await backend.make(records, options: options, following: .seconds(600))
    let often = backend == .pocketBase ? seldom : try await backend.make(records, following: .milliseconds(100))
    let (first, second) = (try await TestDevice(seldom), try await TestDevice(often))
    let runs = [first, second].map { device in Task { try await device.session.run() } }
    for number in 1...6 {
      try await first.store.write { tx in
        try tx.upsert(Folder(id: 1, name: "name \(number)"))
        try tx.insert(Note(id: "n\(number)", folderID: 1, title: "t", rank: 0))
      }
      try await wait("the change doesn't arrive") {
        try await second.store.read { tx in
          try tx.fetch(Folder.self, key: 1)?.name == "name \(number)" && tx.fetch(Note.self, key: "n\(number)") != nil
        }
      }
      try await wait("the change stays in the outbox") {
        try await first.store.count("SELECT count(*) FROM sanderling_sync_changes_note") == 0
      }
    }
    for run in runs { run.cancel() }
    // A run that waited for its next poll would not end.
    for run in runs { await #expect(throws: CancellationError.self) { try await run.value } }
    #expect(try await first.rows == second.rows)
  }

  /// A device that lost its cursor compares all rows with the server while it follows. Rows that the server doesn't
  /// have are removed once the server has listed all its rows.
  func comparesWhileItFollows() async throws {
    let records = TestRecords()
    let collections = try await backend.make(records, following: .milliseconds(100))
    try await collections.fill(records.folder, (1...3).map(folderRow))
    let device = try await TestDevice(collections)
    try await device.store.write { tx in
      // These rows were written before the outbox existed, so they are not pending changes.
      try tx.database.execute(sql: "UPDATE sanderling_sync_control SET applying = 1")
      for id in 2...6 { try tx.insert(Folder(id: id, name: "old")) }
      try tx.database.execute(
        sql:
          "UPDATE sanderling_sync_control SET applying = 0; UPDATE sanderling_sync_state SET cursor = 'of another version'"
      )
    }
    let run = Task { try await device.session.run() }
    try await wait("the rows aren't compared") {
      try await device.store.fetch(Folder.query).map(\.id).sorted() == [1, 2, 3]
    }
    try await device.store.write { try $0.insert(Folder(id: 7, name: "new")) }
    try await wait("the session doesn't follow any more") {
      try await device.store.count("SELECT count(*) FROM sanderling_sync_versions_folder WHERE k0 = 7") == 1
    }
    run.cancel()
    _ = await run.result
  }

  /// A record that one device deleted and inserted again arrives at another device.
  func reinserts() async throws {
    let collections = try await backend.make(TestRecords())
    let (first, second) = (try await TestDevice(collections), try await TestDevice(collections))
    try await first.store.write { try $0.insert(Folder(id: 1, name: "one")) }
    try await first.session.run()
    try await second.session.run()
    try await first.store.write { _ = try $0.delete(Folder.query) }
    try await first.session.run()
    try await first.store.write { try $0.insert(Folder(id: 1, name: "again")) }
    try await first.session.run()
    try await second.session.run()
    #expect(try await second.store.fetch(Folder.query).map(\.name) == ["again"])
    #expect(try await first.session.run().isUnchanged)
  }
}
