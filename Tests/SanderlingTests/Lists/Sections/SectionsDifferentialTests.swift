import Foundation
import Testing

@testable import Sanderling

/// Sectioned lists equal fresh SELECTs after random writes, while sections are opened and closed at random.
@MainActor
@Suite("Sectioned lists under random writes")
struct SectionsDifferentialTests {
  private typealias Item = Sectioned.Item

  private let folder = TemporaryFolder()

  /// A sectioned list with the checks that compare it.
  private struct Watched {
    let name: String
    /// Opens, closes or enlarges random sections of the list.
    let act: @MainActor (inout SeededGenerator) -> Void
    /// Compares the list with fresh SELECTs, and with the rows that result from applying its changes.
    let check: @MainActor (Store) async throws -> Void
  }

  private func watched<Key: Hashable & Sendable, Values: Sendable>(
    _ name: String, _ store: Store, _ query: SectionedSelection<Item, Key, Values, Item>, window: Int,
    startsOpen: Bool = true
  ) -> Watched {
    let list = store.liveSections(query, window: window, startsOpen: startsOpen)
    _ = list.sections
    var replayed: [[Item]] = []
    var changes = list.changes.makeAsyncIterator()
    var windows: [Data: Int] = [:]
    // Keys that are equal as Swift strings and different in SQL are two sections.
    func bytes(_ key: Key) -> Data { Data("\(key)".utf8) }

    return Watched(name: name) { generator in
      let sections = list.sections
      guard !sections.isEmpty else { return }
      let key = sections[Int.random(in: 0..<sections.count, using: &generator)].key
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<6: list.open(key)
      case 6..<10: list.close(key)
      case 10:
        list.openAll()
      case 11:
        list.closeAll()
        #expect(list.sections.allSatisfy { !$0.isOpen })
      case 12..<14:
        list.loadMore(in: key, 2)
        windows[bytes(key), default: window] += 2
      default: break
      }
    } check: { store in
      let snapshot = list.current
      try #require(snapshot.state.isCurrent && snapshot.isConsistent)
      let isOpen = Dictionary(
        snapshot.sections.map { (bytes($0.key), list.isOpening($0.key)) }, uniquingKeysWith: { $1 })
      let expected = try await store.read { [windows] tx in
        try tx.fetch(query.headers).map { header in
          let id = Data("\(header.key)".utf8)
          let rows = try tx.fetch(query.rows(in: header.key)).prefix(windows[id] ?? window)
          return "\(header.key) \(header.count) \(header.values) \(isOpen[id] == true ? "\(Array(rows))" : "closed")"
        }
      }
      let shown = snapshot.sections.map {
        "\($0.key) \($0.count) \($0.values) \($0.isOpen ? "\($0.rows.elements)" : "closed")"
      }
      #expect(shown == expected, "\(name)")

      var rows = snapshot.sections.map(\.rows.elements)
      while replayed != rows {
        let change = try #require(await changes.next(isolation: #isolation))
        #expect(change.snapshot.isConsistent)
        change.difference.apply(to: &replayed) { change.snapshot.sections[$0.section].rows[$0.row] }
        rows = snapshot.sections.map(\.rows.elements)
        #expect(replayed == change.snapshot.sections.map(\.rows.elements), "\(name)")
      }
    }
  }

  @Test func everythingEqualsFreshSelects() async throws {
    let store = try Store(
      path: folder.path("random.sqlite"), schema: Sectioned.schema, liveInterval: .zero,
      audit: .everyCommit { Issue.record("\($0)") })
    let open = Item.where { !$0.isDone }.order { ($0.title, $0.id) }
    let watched = [
      watched("status", store, open.sectioned { $0.status }, window: 3),
      watched(
        "title", store, Item.order { $0.id.descending }.sectioned { $0.title }.sectionValues { $0.estimate.sum() },
        window: 100),
      watched(
        "owner", store,
        open.sectioned { $0.owner.name }.sectionValues { ($0.estimate.sum(), $0.count(where: $0.status == 1)) }
          .sectionOrder { $0.count().descending }, window: 4),
      watched("done", store, Item.order { $0.id }.sectioned { $0.isDone }, window: 5, startsOpen: false),
      watched(
        "greatest", store,
        Item.order { $0.id }.sectioned { $0.status }.sectionValues { $0.estimate.max() }
          .sectionOrder { ($0.estimate.sum().descending, $0.status.descending) }, window: 100),
      watched("expression", store, Item.order { $0.id }.sectioned { $0.estimate / 10 }, window: 100),
      watched("case", store, open.sectioned { $0.title.lowercased() }, window: 2, startsOpen: false),
    ]
    var generator = SeededGenerator()
    print("Sections: SANDERLING_SEED=\(generator.seed)")
    for step in 0..<400 {
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let change = Sectioned.change(using: &generator)
        try await store.write("step \(step)") { try change($0) }
        if step % 3 == 0, let some = watched.randomElement(using: &generator) { some.act(&generator) }
      }
      if step % 4 == 0 { for each in watched { each.act(&generator) } }
      await store.settled()
      for each in watched { try await each.check(store) }
      if step % 40 == 39 { print("step \(step)") }
    }
  }

  /// Each snapshot of a sectioned list has the rows of the commit that it names, while writes don't wait for its
  /// delivery.
  @Test(arguments: [true, false])
  func eachSnapshotIsThatOfItsCommit(startsOpen: Bool) async throws {
    let store = try Store(path: folder.path("commits.sqlite"), schema: Sectioned.schema, liveInterval: .zero)
    let query = Item.order { $0.id }.sectioned { $0.owner.name }.sectionValues { $0.estimate.sum() }
    let list = store.liveSections(query, startsOpen: startsOpen)
    _ = list.sections
    let collector = Task.detached {
      var snapshots: [SectionedSnapshot<String?, Int, Item>] = []
      for await snapshot in list.snapshots { snapshots.append(snapshot) }
      return snapshots
    }
    var generator = SeededGenerator()
    print("Sections: SANDERLING_SEED=\(generator.seed)")
    var expected: [UInt64: [String]] = [:]
    for step in 0..<600 {
      let change = Sectioned.change(using: &generator)
      let written = try await store.writeWithCommit("step \(step)") { tx in
        try change(tx)
        return try tx.fetch(query.headers).map { header in
          "\(header.key ?? "nil") \(header.count) \(header.values) \(try tx.fetch(query.rows(in: header.key)))"
        }
      }
      expected[written.commit.number] = written.value
      if step % 10 == 0, let section = list.sections.randomElement(using: &generator) {
        if section.isOpen { list.close(section.key) } else { list.open(section.key) }
      }
      #expect(list.current.isConsistent)
    }
    try await list.caughtUp()
    collector.cancel()
    var count = 0
    for snapshot in await collector.value where snapshot.state.isCurrent {
      let commit = try #require(snapshot.commit)
      #expect(snapshot.isConsistent)
      guard let expected = expected[commit.number] else { continue }
      count += 1
      try #require(snapshot.sections.count == expected.count)
      for (section, text) in zip(snapshot.sections, expected) {
        let header = "\(section.key ?? "nil") \(section.count) \(section.values) "
        #expect(section.isOpen ? text == header + "\(section.rows.elements)" : text.hasPrefix(header))
      }
    }
    #expect(count > 0)
  }
}
