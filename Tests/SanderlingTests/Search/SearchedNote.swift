import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Notes whose titles and authors are searched by their folds.
@Record(indexes: [.on(\.place)])
struct SearchedNote: Hashable {
  var id: Int
  @Searchable var title: String
  @Searchable @Stored(collation: .nocase) var author: String?
  var place = 0
  var isPinned = false
  @References(SearchedBook.self) var bookID: Int?
  static let book = belongsTo(SearchedBook.self, by: \.bookID)
}

@Record
struct SearchedBook: Hashable {
  var id: Int
  @Searchable @Stored("book name") var name: String
  static let notes = hasMany(SearchedNote.self, by: \.bookID)
}

let searchSchema: [any StoredRecord.Type] = [SearchedBook.self, SearchedNote.self]

extension SearchedNote {
  /// Texts with equal folds, and texts that sort next to them.
  static let texts = [
    "Éa", "ea", "EA", "Ez", "Straße", "STRASSE", "ｓｔｒａｓｓｅ", "Strasbourg", "", "\u{200B}", "か", "が", "ё", "е", "й", "и",
    "ﬁsh", "Fish", "apple", "Banana", "Ωμέγα", "ΩΜΕΓΑΣ", "e\u{301}a", "\u{10FFFF}", "\u{10FFFF}b", "nul\u{0}nul",
    "'\"%_", "한글",
    "\u{1112}\u{1161}\u{11AB}글", "ZZ", "zz top",
  ]

  static func random(_ id: Int, using generator: inout SeededGenerator) -> SearchedNote {
    SearchedNote(
      id: id, title: texts.randomElement(using: &generator)!,
      author: Bool.random(using: &generator) ? nil : texts.randomElement(using: &generator),
      place: .random(in: 0..<3, using: &generator),
      bookID: Bool.random(using: &generator) ? nil : .random(in: 1...3, using: &generator))
  }
}

/// The expected content of a column of folded texts.
struct FoldedRow: Hashable {
  let text: DatabaseValue
  let folded: DatabaseValue

  var isPending: Bool { folded == Data().databaseValue }

  /// Whether the stored fold is that of the text.
  var isRight: Bool { folded == (String.fromDatabaseValue(text).map { TextFold.fold($0).databaseValue } ?? .null) }

  static func all(_ db: Database, _ column: String, in table: String = "searchedNote") throws -> [FoldedRow] {
    let name = column.quotedIdentifier
    let folded = "\(column)_folded".quotedIdentifier
    return try Row.fetchAll(db, sql: "SELECT \(name), \(folded) FROM \(table.quotedIdentifier)").map {
      FoldedRow(text: $0[0], folded: $0[1])
    }
  }
}

extension Store {
  /// Waits until no row waits to be folded, and expects that all folds are right.
  func expectFolded(_ comment: Testing.Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    await connection.folding?.finished()
    try expectFoldedNow(comment, sourceLocation: sourceLocation)
  }

  func expectFoldedNow(_ comment: Testing.Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    for column in ["title", "author"] {
      let wrong = try writer.read { try FoldedRow.all($0, column) }.filter { !$0.isRight }
      #expect(wrong.isEmpty, comment, sourceLocation: sourceLocation)
    }
  }

  /// The number of rows whose title waits to be folded.
  func pendingCount() throws -> Int {
    try writer.read { try FoldedRow.all($0, "title") }.count { $0.isPending }
  }
}

extension TemporaryFolder {
  /// Makes a connection like that of another process, which waits while the store folds.
  func patientConnection() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    return try DatabaseQueue(path: path(), configuration: configuration)
  }
}
