import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Notes that are searched by full-text indexes.
@Record
struct MatchedNote: Hashable {
  var id: Int
  @Searchable(.prefix, .words, .substrings) var title: String
  @Searchable(.words) @Stored(collation: .nocase) var body: String?
  @Searchable(.substrings) @Stored("the tag") var tag: String?
  var isPinned = false
  @References(MatchedAuthor.self) var authorID: UUID?
  static let author = belongsTo(MatchedAuthor.self, by: \.authorID)
}

@Record
struct MatchedAuthor: Hashable {
  var id: UUID
  @Searchable(.words) var name: String
  static let notes = hasMany(MatchedNote.self, by: \.authorID)
}

let matchSchema: [any StoredRecord.Type] = [MatchedAuthor.self, MatchedNote.self]

extension MatchedAuthor {
  static let all = (0..<3).map {
    MatchedAuthor(id: UUID(uuidString: "00000000-0000-0000-0000-00000000000\($0)")!, name: "Author \($0)")
  }
}

/// Texts and search inputs that often match each other.
struct MatchWords {
  static let words = [
    "Éa", "ea", "fish", "fishing", "Straße", "STRASSE", "ｓｔｒａｓｓｅ", "か", "がき", "東京", "京都大学", "หม", "หมี", "c++", "C#",
    "e-mail",
    "ﬁsh", "don't", "한글", "\u{1112}\u{1161}\u{11AB}", "🎉", "x", "ab", "abc", "\u{0}", "''", "\"", "-", "%_", "\u{E000}",
    "10,5",
  ]

  static func text(using generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...4, using: &generator)).map { _ in words.randomElement(using: &generator)! }
      .joined(separator: Bool.random(using: &generator) ? " " : "")
  }

  static func input(using generator: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: text(using: &generator)
    case 1: "\"" + text(using: &generator) + "\""
    case 2: text(using: &generator) + " -" + words.randomElement(using: &generator)!
    case 3: String(words.randomElement(using: &generator)!.unicodeScalars.prefix(2))
    default: words.randomElement(using: &generator)!
    }
  }
}

extension MatchedNote {
  static func random(_ id: Int, using generator: inout SeededGenerator) -> MatchedNote {
    MatchedNote(
      id: id, title: MatchWords.text(using: &generator),
      body: Bool.random(using: &generator) ? nil : MatchWords.text(using: &generator),
      tag: Bool.random(using: &generator) ? nil : MatchWords.text(using: &generator),
      authorID: Bool.random(using: &generator) ? nil : MatchedAuthor.all.randomElement(using: &generator)!.id)
  }
}

/// Random writes of searched rows by the store and another connection.
struct MatchWorld {
  let store: Store
  let other: DatabaseQueue
  var generator: SeededGenerator
  private var nextID: Int

  init(_ store: Store, _ other: DatabaseQueue, firstID: Int = 1, seed: UInt64) {
    self.store = store
    self.other = other
    nextID = firstID
    generator = SeededGenerator(seed: seed)
  }

  mutating func newNote() -> MatchedNote {
    nextID += 1
    return .random(nextID, using: &generator)
  }

  mutating func oldID() -> Int { .random(in: 1...nextID, using: &generator) }

  mutating func text() -> String { MatchWords.text(using: &generator) }

  mutating func input() -> String { MatchWords.input(using: &generator) }

  /// Returns a random statement of a program that doesn't know of search indexes.
  mutating func plainSQL() -> String {
    let (id, text) = (oldID(), text().quotedLiteral)
    nextID += 1
    return switch Int.random(in: 0..<10, using: &generator) {
    case 0: "INSERT INTO matchedNote (id, title) VALUES (\(nextID), \(text))"
    case 1: "UPDATE matchedNote SET title = \(text) WHERE id = \(id)"
    case 2: "UPDATE matchedNote SET body = \(text), title = title || coalesce(body, '') WHERE id > \(nextID - 5)"
    case 3: "REPLACE INTO matchedNote (id, title, body, \"the tag\") VALUES (\(id), \(text), \(text), \(text))"
    case 4: "DELETE FROM matchedNote WHERE id = \(id)"
    case 5: "UPDATE matchedAuthor SET name = \(text) WHERE id = X'0000000000000000000000000000000\(id % 3)'"
    case 6: "INSERT OR IGNORE INTO matchedNote (id, title) VALUES (\(id), \(text))"
    case 7:
      "INSERT INTO matchedNote (id, title) VALUES (\(id), \(text)) ON CONFLICT (id) DO UPDATE SET \"the tag\" = excluded.title"
    case 8: "UPDATE matchedNote SET body = upper(body) WHERE id = \(id)"
    default: "UPDATE OR REPLACE matchedNote SET id = id + 1, body = NULL WHERE id = \(id) AND id < \(nextID - 1)"
    }
  }

  mutating func write() async throws {
    let (note, second, id, text, sql) = (newNote(), newNote(), oldID(), text(), plainSQL())
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: try await store.write("insert") { try $0.insert(contentsOf: [note, second]) }
    case 1:
      try await store.write("upsert") { tx in
        try tx.upsert(MatchedNote(id: id, title: note.title, body: note.body))
        try tx.upsert(MatchedNote(id: id + 1, title: text, body: text), updating: \.body)
      }
    case 2:
      try await store.write("update") { tx in
        guard try tx.fetch(MatchedNote.self, key: id) != nil else { return }
        try tx.update(MatchedNote.self, key: id) { note in
          note.isPinned.toggle()
          if id.isMultiple(of: 2) { note.title = text }
        }
      }
    case 3:
      try await store.write("expression") { tx in
        _ = try tx.update(
          MatchedNote.where { $0.title.matches(text) }, .set(\.body) { $0.title.appending("É").optional })
      }
    case 4:
      try await store.write("delete") {
        _ = try $0.delete(MatchedNote.where { $0.title.matches(text, in: .substrings) && $0.id > id })
      }
    case 5: try await store.write("SQL") { try $0.execute("\(raw: sql)") }
    case 6: try store.writer.run(sql)
    case 7:
      try? await store.write("rollback") { tx in
        try tx.insert(note)
        _ = try tx.count(MatchedNote.where { $0.title.matches(text) })
        try? tx.savepoint {
          try tx.execute("\(raw: sql)")
          throw CancellationError()
        }
        try tx.execute("\(raw: sql)")
        if id.isMultiple(of: 2) { throw CancellationError() }
      }
    default: try other.run(sql)
    }
  }

  /// Returns a random condition, and its evaluation for a note.
  mutating func condition() -> (
    name: String, condition: @Sendable (MatchedNote.Fields) -> Field<Bool>,
    isTrue: @Sendable (MatchedNote, [UUID: String]) -> Bool
  ) {
    let input = input()
    @Sendable func matches(_ kind: SearchKind, _ texts: String?...) -> Bool {
      TextSearch(input, in: kind).matches(texts)
    }
    let name = "\(input.debugDescription)"
    return switch Int.random(in: 0..<10, using: &generator) {
    case 0: (name, { $0.title.matches(input) }, { note, _ in matches(.words, note.title) })
    case 1:
      (name, { $0.title.matches(input, in: .substrings) }, { note, _ in matches(.substrings, note.title) })
    case 2: (name, { $0.title.matches(input, in: .prefix) }, { note, _ in matches(.prefix, note.title) })
    case 3: (name, { $0.body.matches(input) }, { note, _ in matches(.words, note.body) })
    case 4: (name, { !$0.body.matches(input) }, { note, _ in !matches(.words, note.body) })
    case 5:
      (
        name, { SearchedTexts($0.title, $0.body).matches(input) },
        { note, _ in matches(.words, note.title, note.body) }
      )
    case 6:
      (
        name, { SearchedTexts($0.title, $0.tag).matches(input, in: .substrings) && !$0.isPinned },
        { note, _ in matches(.substrings, note.title, note.tag) && !note.isPinned }
      )
    case 7:
      (
        name, { $0.title.matches(input) || $0.tag.matches(input, in: .substrings) },
        { note, _ in matches(.words, note.title) || matches(.substrings, note.tag) }
      )
    case 8:
      (
        name, { $0.author.name.matches(input) && $0.id > 3 },
        { note, names in matches(.words, note.authorID.flatMap { names[$0] }) && note.id > 3 }
      )
    default:
      (
        name, { $0.isPinned || !$0.author.name.matches(input) },
        { note, names in note.isPinned || !matches(.words, note.authorID.flatMap { names[$0] }) }
      )
    }
  }
}
