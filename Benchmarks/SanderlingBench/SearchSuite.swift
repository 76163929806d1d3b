import Foundation
import GRDB
import Sanderling
import SanderlingSQLite

/// A note of the profile `notes`. Its title is searched by words and by substrings, like titles in the FTS5 tables by
/// hand.
@Record(indexes: [.on(.descending(\.changedAt))])
struct SearchedNote {
  var id: Int64
  var contextID: Int
  @Searchable(.words, .substrings) var title: String
  var changedAt: Date
  var isPinned = false
}

/// A note whose title is searched by its prefix.
@Record(indexes: [.on(.descending(\.changedAt))])
struct SortedNote {
  var id: Int64
  var contextID: Int
  @Searchable(.prefix) var title: String
  var changedAt: Date
  var isPinned = false
}

/// The columns that a list shows of the found notes, the same as those of ``NoteRow``.
@Projection(of: SearchedNote.self)
struct SearchedRow {
  var id: Int64
  var title: String
  var changedAt: Date
}

@Projection(of: SortedNote.self)
struct SortedRow {
  var id: Int64
  var title: String
  var changedAt: Date
}

/// A note of the profile `notes` without a search index.
@Record(indexes: [.on(.descending(\.changedAt))])
struct PlainNote {
  var id: Int64
  var contextID: Int
  var title: String
  var changedAt: Date
  var isPinned = false
}

/// A note whose words are indexed, to measure the cost of indexing.
@Record
struct IndexedNote {
  var id: Int64
  @Searchable(.words) var title: String
}

/// Searches of a million titles in 12 scripts: by the library's indexes, by the same indexes by hand, and by the usual
/// SQL without an index.
struct SearchSuite: BenchmarkSuite {
  static let name = "search"
  private let store: Store
  private let pool: DatabasePool
  private let connection: CConnection
  private let folder: String
  private let count: Int

  init(folder: String, isShort: Bool) async throws {
    self.folder = folder
    count = isShort ? 2_000 : 1_000_000
    let path = folder + "/search.sqlite"
    store = try Store(path: path, schema: [SearchedNote.self, SortedNote.self, PlainNote.self])
    for start in stride(from: 0, to: count, by: 50_000) {
      let notes = (start..<min(count, start + 50_000)).map(Notes.make)
      try await store.write("fill") { tx in
        try tx.insert(
          contentsOf: notes.map {
            SearchedNote(id: $0.id, contextID: $0.contextID, title: $0.title, changedAt: $0.changedAt)
          })
        try tx.insert(
          contentsOf: notes.map {
            SortedNote(id: $0.id, contextID: $0.contextID, title: $0.title, changedAt: $0.changedAt)
          })
        try tx.insert(
          contentsOf: notes.map {
            PlainNote(id: $0.id, contextID: $0.contextID, title: $0.title, changedAt: $0.changedAt)
          })
      }
    }
    try await store.optimizeSearchIndexes(of: SearchedNote.self)
    var configuration = Configuration()
    configuration.prepareDatabase { db in db.add(function: folding) }
    pool = try DatabasePool(path: path, configuration: configuration)
    connection = try CConnection(path)
    // The usual indexes by hand: FTS5 over the table with its own tokenizers.
    for (name, tokenizer) in [("byWords", "unicode61 remove_diacritics 2"), ("bySubstrings", "trigram")] {
      try connection.execute(
        "CREATE VIRTUAL TABLE \(name) USING fts5(title, content='plainNote', content_rowid='id', tokenize='\(tokenizer)')"
      )
      try connection.execute("INSERT INTO \(name) (\(name)) VALUES ('rebuild')")
      try connection.execute("INSERT INTO \(name) (\(name)) VALUES ('optimize')")
    }
    try connection.execute("ANALYZE")
  }

  var works: [BenchmarkWork.Plan] {
    [
      prefix, words, substring, keystrokes, toggle, indexing, size,
    ].map { work in .init(work.figures[0].name) { work } }
  }

  // MARK: Statements

  private func byHand(_ sql: String, _ texts: [String], rows: Int = 50) throws -> Double {
    try seconds {
      let statement = try connection.prepare(sql)
      defer { sqlite3_finalize(statement) }
      for (index, text) in texts.enumerated() { bindText(statement, Int32(index + 1), text) }
      var notes: [NoteRow] = []
      while sqlite3_step(statement) == SQLITE_ROW {
        notes.append(
          NoteRow(
            id: sqlite3_column_int64(statement, 0), title: text(statement, 1),
            changedAt: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 2))))
      }
      guard !notes.isEmpty, notes.count <= rows else { throw BenchmarkError("\(notes.count) rows of \(sql)") }
    }
  }

  private func peer(_ name: String, _ condition: String, _ text: String) -> BenchmarkWork.Contender {
    .init(name: name, rounds: 3) {
      [
        try seconds {
          _ = try pool.read { db in
            try Row.fetchAll(
              db, sql: "SELECT id, title, changedAt FROM plainNote WHERE \(condition) ORDER BY changedAt DESC",
              arguments: [text])
          }
        }
      ]
    }
  }

  private func sanderling<Row>(_ query: @escaping () -> Selection<some StoredRecord, Row>) -> BenchmarkWork.Contender {
    .init(name: "Sanderling") {
      [
        try seconds {
          guard try !store.readBlocking({ try $0.fetch(query()) }).isEmpty else { throw BenchmarkError("no rows") }
        }
      ]
    }
  }

  private static let columns = "SELECT n.id, n.title, n.changedAt FROM"

  // MARK: Works

  private var prefix: BenchmarkWork {
    func query() -> Selection<SortedNote, SortedRow> {
      SortedNote.where { $0.title.matches("ubu", in: .prefix) }.order { $0.title.folded }.limit(50).select(
        SortedRow.self)
    }
    let kept = query()
    return BenchmarkWork(
      figures: [.init(name: "prefix of 3 letters, 50 rows", unit: .microseconds)], sanderling: sanderling { kept },
      limit: .init(name: "limit") {
        [
          try byHand(
            "\(Self.columns) sortedNote AS n WHERE title_folded >= ?1 AND title_folded < ?2 ORDER BY title_folded LIMIT 50",
            ["ubu", "ubv"])
        ]
      },
      peers: [
        .init(name: "Sanderling, a new query each time", run: sanderling(query).run),
        peer("GRDB LIKE", "title LIKE ? || '%'", "Übu"),
        peer("GRDB LIKE of a folding function", "fold(title) LIKE ? || '%'", "ubu"),
      ])
  }

  private var words: BenchmarkWork {
    let query = SearchedNote.where { $0.title.matches("cafe ") && $0.contextID < 20 }.order { $0.changedAt.descending }
      .limit(50).select(SearchedRow.self)
    return BenchmarkWork(
      figures: [.init(name: "word, filter, ordering, 50 rows", unit: .milliseconds)], sanderling: sanderling { query },
      limit: .init(name: "limit") {
        [
          try byHand(
            "\(Self.columns) byWords JOIN plainNote AS n ON n.id = byWords.rowid "
              + "WHERE byWords MATCH ?1 AND n.contextID < 20 ORDER BY n.changedAt DESC LIMIT 50", ["cafe"])
        ]
      },
      peers: [peer("GRDB LIKE", "contextID < 20 AND title LIKE '%' || ? || '%'", "café")])
  }

  private var substring: BenchmarkWork {
    let query = SearchedNote.where { $0.title.matches("gstro", in: .substrings) && $0.contextID < 20 }
      .order { $0.changedAt.descending }.limit(50).select(SearchedRow.self)
    return BenchmarkWork(
      figures: [.init(name: "substring of 5 letters, filter, 50 rows", unit: .milliseconds)],
      sanderling: sanderling { query },
      limit: .init(name: "limit") {
        [
          try byHand(
            "\(Self.columns) bySubstrings JOIN plainNote AS n ON n.id = bySubstrings.rowid "
              + "WHERE bySubstrings MATCH ?1 AND n.contextID < 20 ORDER BY n.changedAt DESC LIMIT 50", ["\"gströ\""])
        ]
      },
      peers: [
        peer("scan, folded", "contextID < 20 AND fold(title) LIKE '%' || ? || '%'", "gstro"),
        peer("GRDB LIKE", "title LIKE '%' || ? || '%'", "gströ"),
      ])
  }

  /// 200 words from titles, typed letter by letter: each keystroke is a query.
  private var keystrokes: BenchmarkWork {
    let inputs = (0..<200).flatMap { number -> [String] in
      let title = Notes.make(number &* 5_003 % count).title
      return (1...min(8, title.count)).map { String(title.prefix($0)) }
    }
    func percentiles(_ run: (String) throws -> Double) rethrows -> [Double?] {
      let times = try inputs.map(run).sorted()
      return [times[times.count / 2], times[times.count * 99 / 100]]
    }
    return BenchmarkWork(
      figures: [
        .init(name: "keystroke, p50", unit: .milliseconds), .init(name: "keystroke, p99", unit: .milliseconds),
      ],
      sanderling: .init(name: "Sanderling") {
        try percentiles { input in
          try seconds {
            _ = try store.readBlocking {
              try $0.fetch(
                SearchedNote.where { $0.title.matches(input) }.order { $0.changedAt.descending }.limit(50).select(
                  SearchedRow.self))
            }
          }
        }
      },
      limit: .init(name: "limit") {
        try percentiles { input in
          let match = input.split(separator: " ").map { "\"\($0)\"" }.joined(separator: " ")
          return try seconds {
            let statement = try connection.prepare(
              "\(Self.columns) byWords JOIN plainNote AS n ON n.id = byWords.rowid WHERE byWords MATCH ?1 "
                + "ORDER BY n.changedAt DESC LIMIT 50")
            defer { sqlite3_finalize(statement) }
            bindText(statement, 1, input.hasSuffix(" ") ? match : match + "*")
            while sqlite3_step(statement) == SQLITE_ROW {}
          }
        }
      }, peers: [], rounds: 2, warmsUp: false)
  }

  private var toggle: BenchmarkWork {
    let ids = (0..<1_000).map { Int64($0 &* 997 % count) }
    return BenchmarkWork(
      figures: [.init(name: "toggle of a flag, 1,000 times", unit: .milliseconds)],
      sanderling: .init(name: "Sanderling") {
        [
          try await seconds {
            try await store.write("toggle") { tx in
              for id in ids { _ = try tx.update(SearchedNote.where { $0.id == id }, .set(\.isPinned) { !$0.isPinned }) }
            }
          }
        ]
      },
      limit: nil,
      peers: [
        .init(name: "of a plain record") {
          [
            try await seconds {
              try await store.write("toggle") { tx in
                for id in ids { _ = try tx.update(PlainNote.where { $0.id == id }, .set(\.isPinned) { !$0.isPinned }) }
              }
            }
          ]
        }
      ])
  }

  /// The cost of indexing the words of titles that were stored before the index.
  private var indexing: BenchmarkWork {
    let rows = min(count, 200_000)
    func fill(_ path: String) throws -> CConnection {
      try? FileManager.default.removeItem(atPath: path)
      let connection = try CConnection(path)
      try connection.execute("CREATE TABLE indexedNote (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL)")
      try connection.execute("ATTACH '\(folder)/search.sqlite' AS source")
      try connection.execute("INSERT INTO indexedNote SELECT id, title FROM source.plainNote LIMIT \(rows)")
      try connection.execute("DETACH source")
      return connection
    }
    return BenchmarkWork(
      figures: [.init(name: "first indexing of \(rows) titles", unit: .milliseconds)],
      sanderling: .init(name: "Sanderling") {
        let path = folder + "/indexed.sqlite"
        _ = try fill(path)
        let migrations = DatabaseMigrator()
        return [
          try await seconds {
            let store = try Store(path: path, schema: [IndexedNote.self], migrator: migrations)
            try await store.searchIndexed()
            try store.close()
          }
        ]
      },
      limit: .init(name: "limit") {
        let connection = try fill(folder + "/byHand.sqlite")
        return [
          try seconds {
            try connection.execute(
              "CREATE VIRTUAL TABLE words USING fts5(title, content='indexedNote', content_rowid='id', "
                + "tokenize='unicode61 remove_diacritics 2')")
            try connection.execute("INSERT INTO words (rowid, title) SELECT id, title FROM indexedNote")
          }
        ]
      }, peers: [], rounds: 5)
  }

  /// The size of each index per megabyte of titles.
  private var size: BenchmarkWork {
    func bytes(_ pattern: String) -> BenchmarkWork.Contender {
      .init(name: pattern, rounds: 1) {
        let statement = try connection.prepare("SELECT sum(pgsize) FROM dbstat WHERE name LIKE ?1")
        defer { sqlite3_finalize(statement) }
        bindText(statement, 1, pattern)
        guard sqlite3_step(statement) == SQLITE_ROW else { throw BenchmarkError("SQLite has no dbstat") }
        let titles = try connection.prepare("SELECT sum(length(CAST(title AS BLOB))) FROM plainNote")
        defer { sqlite3_finalize(titles) }
        sqlite3_step(titles)
        return [sqlite3_column_double(statement, 0) / sqlite3_column_double(titles, 0) * 1e6]
      }
    }
    return BenchmarkWork(
      figures: [.init(name: "bytes of words for a megabyte of titles", unit: .bytes)],
      sanderling: bytes("sanderling_words_searchedNote%"), limit: nil,
      peers: [
        bytes("sanderling_substrings_searchedNote%"), bytes("sortedNote_on_title_folded"), bytes("byWords%"),
        bytes("bySubstrings%"),
      ], rounds: 1, warmsUp: false)
  }
}

/// The function with which an app usually searches without regard to case and diacritics.
private let folding = DatabaseFunction("fold", argumentCount: 1, pure: true) { values in
  String.fromDatabaseValue(values[0])?.folding(
    options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
}
