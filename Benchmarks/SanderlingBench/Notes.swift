import Foundation
import GRDB
import Sanderling

@Record(indexes: [.on(.descending(\.changedAt)), .on(\.title)])
struct Note {
  var id: Int64
  var contextID: Int
  var title: String
  var changedAt: Date
  var body: String
}

/// The columns of a note that a list shows.
@Projection(of: Note.self)
struct NoteRow {
  var id: Int64
  var title: String
  var changedAt: Date
}

/// The profile `notes`: 200 contexts, bodies of 0 to 20 kB with power-law sizes, titles in 12 scripts with diacritics.
enum Notes {
  static func make(_ number: Int) -> Note {
    let title = "\(words[number % words.count]) \(words[number / 7 % words.count]) \(scattered(number) % 100_003)"
    return Note(
      id: Int64(number), contextID: number % 200, title: title,
      // The order differs from that of the keys, as with notes that are changed later.
      changedAt: Date(timeIntervalSinceReferenceDate: Double(scattered(number)) / 1_000),
      body: String(
        repeating: "Lorem ipsum dolor sit amet. ",
        count: min(20_000, 40 + 400_000 / (1 + scattered(number) % 10_000)) / 28))
  }

  private static func scattered(_ number: Int) -> Int { number &* 7_368_787 % 1_000_000_007 }

  private static let words = [
    "Übung", "Café", "naïve", "Ångström", "Łódź", "Ελλάδα", "Москва", "ёлка", "שלום", "مرحبا", "हिन्दी", "ไทย", "日本語",
    "中文笔记",
    "한국어", "ქართული", "Հայերեն", "የአማርኛ", "apple", "Banana", "résumé", "jalapeño", "smörgåsbord", "Ιθάκη",
  ]

  static func store(_ path: String, count: Int) async throws -> Store {
    let store = try Store(path: path, schema: [Note.self])
    for start in stride(from: 0, to: count, by: 50_000) {
      try await store.write("fill") { tx in
        try tx.insert(contentsOf: (start..<min(count, start + 50_000)).map(make))
      }
    }
    return store
  }
}
