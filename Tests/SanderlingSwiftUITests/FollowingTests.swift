import Foundation
import Sanderling
import SanderlingTesting
import Testing

@testable import SanderlingSwiftUI

@Record
struct Note {
  var id: Int
  var folder: Int
  var title: String
}

/// The code behind the property wrappers, called as SwiftUI does: once for each evaluation of a view's body.
@Suite @MainActor struct FollowingTests {
  private let store: Store

  init() throws {
    store = try Self.makeStore()
  }

  private static func makeStore() throws -> Store {
    try Store.seeded([Note.self]) { tx in
      for id in 1...9 { try tx.insert(Note(id: id, folder: id % 3, title: "note \(id)")) }
    }
  }

  private func notes(in folder: Int) -> FollowedQuery<LiveList<Note>> {
    .rows(Note.where { $0.folder == folder }.order { $0.id }, window: 2)
  }

  @Test func theSameQueryIsFollowedOnce() async throws {
    let following = Following<LiveList<Note>>()
    let list = following.result(of: notes(in: 1), in: store)
    try await list.caughtUp()
    for _ in 0..<5 { #expect(following.result(of: notes(in: 1), in: store) === list) }
    list.loadMore()
    #expect(following.result(of: notes(in: 1), in: store).window == 4)
  }

  @Test func anotherQueryTakesThePlaceOfTheFirst() async throws {
    let following = Following<LiveList<Note>>()
    let list = following.result(of: notes(in: 1), in: store)
    try await list.caughtUp()
    #expect(list.rows.map(\.id) == [1, 4])
    #expect(following.result(of: notes(in: 2), in: store) === list)
    // The old rows are shown until the new ones are read.
    #expect(list.rows.map(\.id) == [1, 4])
    try await list.caughtUp()
    #expect(list.rows.map(\.id) == [2, 5])
    try await store.write("add") { try $0.insert(Note(id: 0, folder: 2, title: "first")) }
    try await list.caughtUp()
    #expect(list.rows.map(\.id) == [0, 2])
  }

  @Test func anotherStoreHasAResultOfItsOwn() async throws {
    let following = Following<LiveList<Note>>()
    let list = following.result(of: notes(in: 1), in: store)
    let other = try Self.makeStore()
    try await other.write("remove") { tx in try tx.delete(Note.where { $0.id == 1 }) }
    let second = following.result(of: notes(in: 1), in: other)
    #expect(second !== list)
    try await second.caughtUp()
    #expect(second.rows.map(\.id) == [4, 7])
    #expect(following.result(of: notes(in: 1), in: other) === second)
  }

  @Test func countsValuesAndRecordsFollowTheirQueries() async throws {
    let counts = Following<LiveCount>()
    let values = Following<LiveValue<Int>>()
    let records = Following<LiveValue<Note>>()
    func show(_ folder: Int) -> (LiveCount, LiveValue<Int>, LiveValue<Note>) {
      (
        counts.result(of: .count(of: Note.where { $0.folder == folder && $0.id > 1 }), in: store),
        values.result(of: .value(of: Note.where { $0.folder == folder }.select { $0.id.sum() }), in: store),
        records.result(of: .record(Note.self, key: folder), in: store)
      )
    }
    let (count, sum, note) = show(1)
    for expected in [(1, 2, 12, "note 1"), (2, 3, 15, "note 2")] {
      let shown = show(expected.0)
      #expect(shown.0 === count && shown.1 === sum && shown.2 === note)
      try await count.caughtUp()
      try await sum.caughtUp()
      try await note.caughtUp()
      #expect(count.value == expected.1)
      #expect(sum.value == expected.2)
      #expect(note.value?.title == expected.3)
    }
  }

  /// A sectioned list takes no other query. A new list takes its place once it is read.
  @Test func newSectionsTakeThePlaceOfTheFormer() async throws {
    func sections(_ least: Int) -> FollowedQuery<LiveSectionedList<Int, Void, Note>> {
      .sections(Note.where { $0.id >= least }.order { $0.id }.sectioned { $0.folder }, window: 2, startsOpen: true)
    }
    let following = Following<LiveSectionedList<Int, Void, Note>>()
    let list = following.result(of: sections(1), in: store)
    _ = list.sections
    await store.settled()
    #expect(list.sections.map(\.count) == [3, 3, 3])
    #expect(following.result(of: sections(1), in: store) === list)
    #expect(following.result(of: sections(9), in: store) === list)
    await store.settled()
    let second = following.result(of: sections(9), in: store)
    #expect(second !== list && second.sections.map(\.count) == [1])
    #expect(following.result(of: sections(9), in: store) === second)
    // A query that is withdrawn before it is read leaves the shown sections.
    _ = following.result(of: sections(5), in: store)
    #expect(following.result(of: sections(9), in: store) === second)
    await store.settled()
    #expect(following.result(of: sections(9), in: store) === second)
  }

  @Test func resultIsNotReadBeforeItIsUsed() async throws {
    let following = Following<LiveList<Note>>()
    let list = following.result(of: notes(in: 1), in: store)
    _ = following.result(of: notes(in: 2), in: store)
    await store.settled()
    if case .loading = list.state {} else { Issue.record("the result was read before it was used") }
    try await list.caughtUp()
    #expect(list.rows.map(\.id) == [2, 5])
  }

  @Test func resultsAreSuspendedAndResumed() async throws {
    let list = Following<LiveList<Note>>().result(of: notes(in: 1), in: store)
    try await list.caughtUp()
    let results: [any FollowedResult] = [list]
    for result in results { result.suspend() }
    try await store.write("remove") { tx in try tx.delete(Note.where { $0.id == 1 }) }
    await store.settled()
    #expect(list.rows.map(\.id) == [1, 4])
    for result in results { result.resume() }
    try await list.caughtUp()
    #expect(list.rows.map(\.id) == [4, 7])
  }

  @Test func theResultEndsWithTheView() async throws {
    var following: Following<LiveList<Note>>? = Following()
    weak var list: LiveList<Note>?
    list = following?.result(of: notes(in: 1), in: store)
    try await list?.caughtUp()
    #expect(list != nil)
    following = nil
    #expect(list == nil)
  }
}
