import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// A server with random rows, which it sends as changes or as a full listing.
struct RandomServer {
  private struct Key: Hashable {
    let record: String
    let key: [StorageValue]
  }

  private var folders: [Int: (name: String, parent: Int?)] = [:]
  private var notes: [String: (folder: Int, title: String, body: String?, rank: Double)] = [:]
  private var taggings: Set<[String]> = []

  /// Makes random changes. In their batches, rows may come long before the rows that they refer to.
  mutating func history(of count: Int, using generator: inout SeededGenerator) -> [SyncBatch] {
    var log: [SyncChange] = []
    for _ in 0..<count { log += change(using: &generator) }
    return Self.cut(Self.mix(log, using: &generator), using: &generator)
  }

  /// Lists all rows, as a restarted source.
  func snapshot(using generator: inout SeededGenerator) -> [SyncBatch] {
    var log = folders.map { SyncChange.folder($0.key, $0.value.name, in: $0.value.parent) }
    log += notes.map {
      .note($0.key, in: $0.value.folder, $0.value.title, body: $0.value.body, rank: $0.value.rank)
    }
    log += taggings.map { .tagging($0[0], $0[1]) }
    // The order of dictionaries differs in each process.
    log.sort { $0.record + $0.payload + StoredJSON.text($0.key) < $1.record + $1.payload + StoredJSON.text($1.key) }
    var batches = Self.cut(log.shuffled(using: &generator), using: &generator)
    batches.insert(SyncBatch([], restarts: true), at: 0)
    return batches
  }

  // MARK: Changes

  private mutating func change(using generator: inout SeededGenerator) -> [SyncChange] {
    let folder = Int.random(in: 1...40, using: &generator)
    let note = "n\(Int.random(in: 1...15, using: &generator))"
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...2:
      let parents = folders.keys.sorted() + [folder]
      folders[folder] = (
        Self.text(&generator), Bool.random(using: &generator) ? parents.randomElement(using: &generator) : nil
      )
      return folders[folder].map { [.folder(folder, $0.name, in: $0.parent)] } ?? []
    case 3...6:
      // The note is often in a folder that is new as well.
      var changes: [SyncChange] = []
      if folders[folder] == nil, Bool.random(using: &generator) {
        folders[folder] = (Self.text(&generator), nil)
        changes = folders[folder].map { [.folder(folder, $0.name)] } ?? []
      }
      let parents = folders.keys.sorted()
      guard let parent = changes.isEmpty ? parents.randomElement(using: &generator) : folder else { return [] }
      if var old = notes[note], Bool.random(using: &generator) {
        old.title = Self.text(&generator)
        old.folder = parent
        notes[note] = old
        return changes + [
          SyncChange(
            "note", key: [.text(note)], .row(["title": .text(old.title), "folderID": .integer(Int64(parent))]))
        ]
      }
      let new = (
        parent, Self.text(&generator), Bool.random(using: &generator) ? Self.text(&generator) : nil,
        Double(Int.random(in: -3...3, using: &generator)) / 2
      )
      notes[note] = new
      return changes + [.note(note, in: new.0, new.1, body: new.2, rank: new.3)]
    case 7:
      guard notes[note] != nil else { return [] }
      let tag = ["red", "blue", "é"].randomElement(using: &generator) ?? ""
      taggings.insert([note, tag])
      return [.tagging(note, tag)]
    case 8:
      guard notes.removeValue(forKey: note) != nil else { return [] }
      let gone = taggings.filter { $0[0] == note }.sorted { $0[1] < $1[1] }
      taggings.subtract(gone)
      return gone.map { .deletion("tagging", .text($0[0]), .text($0[1])) } + [.deletion("note", .text(note))]
    default:
      let isUsed =
        notes.values.contains { $0.folder == folder }
        || folders.contains { $0.key != folder && $0.value.parent == folder }
      guard !isUsed, folders.removeValue(forKey: folder) != nil else { return [] }
      return [
        SyncChange("folder", key: [.integer(Int64(folder))], Bool.random(using: &generator) ? .deletion : .departure)
      ]
    }
  }

  private static func text(_ generator: inout SeededGenerator) -> String {
    ["one", "é", "e\u{301}", "", "line\nbreak", "\u{1F426}\u{0}x", "\"quoted\\\""].randomElement(using: &generator)
      ?? ""
  }

  /// Returns the changes in another order, in which the changes of each row keep their order.
  private static func mix(_ log: [SyncChange], using generator: inout SeededGenerator) -> [SyncChange] {
    if Int.random(in: 0..<4, using: &generator) == 0 { return log }
    let places = log.indices.map { $0 + Int.random(in: 0...200, using: &generator) }
    let order = log.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    // The places are assigned anew. The changes of a row take the row's places in order.
    var waiting = Dictionary(grouping: log.indices) { Key(record: log[$0].record, key: log[$0].key) }
    return order.map { place in
      let key = Key(record: log[place].record, key: log[place].key)
      return log[waiting[key]?.removeFirst() ?? place]
    }
  }

  private static func cut(_ log: [SyncChange], using generator: inout SeededGenerator) -> [SyncBatch] {
    var batches: [SyncBatch] = []
    var rest = log[...]
    while !rest.isEmpty {
      let part = rest.prefix(.random(in: 1...12, using: &generator))
      rest = rest.dropFirst(part.count)
      batches.append(SyncBatch(Array(part), isCheckpoint: rest.isEmpty))
    }
    return batches
  }

  // MARK: Checking

  func check(_ store: Store, _ comment: Comment) async throws {
    let expectedFolders = folders.map { Folder(id: $0.key, name: $0.value.name, parentID: $0.value.parent) }
    #expect(try await store.fetch(Folder.order { $0.id }) == expectedFolders.sorted { $0.id < $1.id }, comment)
    let expectedNotes = notes.map {
      Note(id: $0.key, folderID: $0.value.folder, title: $0.value.title, body: $0.value.body, rank: $0.value.rank)
    }
    let found = try await store.fetch(Note.query).sorted { $0.id < $1.id }
    #expect(found == expectedNotes.sorted { $0.id < $1.id }, comment)
    // `==` of Swift takes composed and decomposed letters as equal, so the bytes are compared.
    #expect(
      found.map { Array($0.title.utf8) } == expectedNotes.sorted { $0.id < $1.id }.map { Array($0.title.utf8) }, comment
    )
    #expect(Set(try await store.fetch(Tagging.query).map { [$0.noteID, $0.tag] }) == taggings, comment)
    for table in [
      "parked", "parents", "quarantine", "staged", "stages", "seen_note", "seen_folder", "seen_tagging",
    ] {
      #expect(try await store.count("SELECT count(*) FROM sanderling_sync_\(table)") == 0, "\(table): \(comment)")
    }
    #expect(try await store.count("SELECT count(*) FROM pragma_foreign_key_check") == 0, comment)
  }
}
