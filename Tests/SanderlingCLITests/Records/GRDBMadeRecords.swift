// swift-format-ignore-file
// The records of GRDBMade.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum GRDBMade {
  @Record(indexes: [.unique(on: \.token), .on(\.name)])
  struct Author {
    var id: Int64?
    var name: String
    @Stored(as: .dateText) var bornAt: Date?
    var isActive: Bool = true
    var rating: Double
    var token: UUID
    @Stored(as: .json) var tags: [String]
    static let books = hasMany(Book.self, by: \.authorID)
  }

  @Record(indexes: [.on(\.authorID), .on(\.authorID, \.title)])
  struct Book {
    @PrimaryKey var isbn: String
    @References(Author.self, onDelete: .cascade) @Stored("authorId") var authorID: Int64
    @Stored(collation: .nocase) var title: String
    var soldCount: Int = 0
    @Stored(as: .dateText) var publishedAt: Date
    static let author = belongsTo(Author.self, by: \.authorID)
  }

  static let schema: [any StoredRecord.Type] = [Author.self, Book.self]
}
