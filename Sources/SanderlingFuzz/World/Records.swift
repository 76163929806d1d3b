import Foundation
import Sanderling

// All sets of search kinds are declared, alone and together with others. The columns may be NULL, have a collation or
// be part of the key, in records with each kind of key.

/// A record whose key SQLite assigns, and that refers to itself.
@Record("place")
struct Place: Hashable {
  var id: Int64?
  var parentID: Int64?
  @Searchable(.words, .substrings) @Stored(collation: .nocase) var name: String
  @Searchable var code: String?
  @Searchable(.prefix, .words) @Stored(collation: .rtrim) var padded: String?
  var rank: Int?
  var weight: Double?
  var isOpen: Bool
  var data: Data?
  static let parent = belongsTo(Place.self, by: \.parentID)
  static let openParent = belongsTo(Place.self, by: \.parentID).filter { $0.isOpen }
  static let children = hasMany(Place.self, by: \.parentID)
  static let descendants = hasMany(Place.self, by: \.parentID).recursive()
  static let openSubtree = hasMany(Place.self, by: \.parentID).filter { $0.isOpen }.recursive(includingSelf: true)
  static let crates = hasMany(Crate.self, by: \.placeID)
  static let sealedCrates = hasMany(Crate.self, by: \.placeID).filter { $0.isSealed && $0.size > 0 }
  static let tags = hasMany(Tag.self, through: crates, using: Crate.tags)
  static let ownersOfSealed = hasMany(Person.self, through: sealedCrates, using: Crate.owner).filter { $0.isActive }
  static let siblings = hasMany(Place.self, through: openParent, using: children)
}

/// A record with a UUID as its key, stored as a blob, and two parents that it may lack.
@Record("crate")
struct Crate: Hashable {
  var id: UUID
  var placeID: Int64?
  var ownerLogin: String?
  @Searchable(.prefix, .substrings) @Stored(collation: .nocase) var label: String
  @Searchable(.words, .substrings) var code: String
  var size: Int
  var weight: Double
  var isSealed: Bool
  var packedAt: Date?
  static let changeHistory = ChangeHistory<Crate>.allColumns
  static let place = belongsTo(Place.self, by: \.placeID)
  static let openPlace = belongsTo(Place.self, by: \.placeID).filter { $0.isOpen && $0.rank > 0 }
  static let owner = belongsTo(Person.self, by: \.ownerLogin)
  static let tags = hasMany(Tag.self, by: \.crateID)
  static let notes = hasMany(Note.self, by: \.crateID)
  static let taggedNotes = hasMany(Note.self, by: \.tagCrateID)
  static let notesOfSealed = hasMany(Note.self, by: \.crateID).filter { $0.crate.isSealed && !$0.isDone }
}

/// A record with a text as its key, compared without case.
@Record("person")
struct Person: Hashable {
  @PrimaryKey @Stored(collation: .nocase) var login: String
  @Stored(collation: .nocase) var bossLogin: String?
  @Searchable(.words) var name: String
  var age: Int?
  var score: Double?
  var isActive: Bool
  @Stored(touch: .version) var revision: Int?
  static let boss = belongsTo(Person.self, by: \.bossLogin)
  static let reports = hasMany(Person.self, by: \.bossLogin)
  static let staff = hasMany(Person.self, by: \.bossLogin).recursive().filter { $0.isActive }
  static let crates = hasMany(Crate.self, by: \.ownerLogin)
  static let openPlaces = hasMany(Place.self, through: crates, using: Crate.openPlace)
  static let notes = hasMany(Note.self, through: crates, using: Crate.notesOfSealed)
}

/// A record with a key of two columns.
@Record("tag")
struct Tag: Hashable {
  @PrimaryKey var crateID: UUID
  @PrimaryKey @Searchable(.substrings) var word: String
  var strength: Int
  @Searchable(.prefix, .words) var comment: String?
  static let changeHistory = ChangeHistory<Tag>.allColumns
  static let crate = belongsTo(Crate.self, by: \.crateID)
  static let notes = hasMany(Note.self, by: \.tagCrateID, \.tagWord)
}

/// A record with an integer key that the app chooses, and a parent with a composite key.
@Record("note")
struct Note: Hashable {
  var id: Int
  var crateID: UUID
  var tagCrateID: UUID?
  @Searchable(.words) var tagWord: String?
  @Searchable(.prefix, .words, .substrings) @Stored(collation: .nocase) var text: String
  var stars: Int?
  var amount: Double?
  var isDone: Bool
  @Stored(touch: .onUpdate) var changedAt: Date?
  static let crate = belongsTo(Crate.self, by: \.crateID)
  static let tag = belongsTo(Tag.self, by: \.tagCrateID, \.tagWord)
  static let notesOfTag = hasMany(Note.self, through: tag, using: Tag.notes)
}

/// A view of some rows of a table.
@Record(view: "sizedCrate")
struct SizedCrate: Hashable {
  var id: UUID
  var placeID: Int64?
  @Stored(collation: .nocase) var label: String
  var size: Int
  var isSealed: Bool
  static let place = belongsTo(Place.self, by: \.placeID)
  static let notes = hasMany(Note.self, by: \.crateID)

  static let sql = "CREATE VIEW sizedCrate AS SELECT id, placeID, label, size, isSealed, code FROM crate WHERE size > 0"
}

/// A view of summaries, with one row for each place that has crates.
@Record(view: "placeLoad")
struct PlaceLoad: Hashable {
  @PrimaryKey var placeID: Int64
  var crates: Int
  var size: Int?
  static let place = belongsTo(Place.self, by: \.placeID)
  static let sizedCrates = hasMany(SizedCrate.self, by: \.placeID)

  static let sql =
    "CREATE VIEW placeLoad AS SELECT placeID, COUNT(*) AS crates, SUM(size) AS size FROM crate "
    + "WHERE placeID IS NOT NULL GROUP BY placeID"
}

/// A projection made by the macro.
@Projection(of: Place.self)
struct PlaceSummary: Hashable {
  var id: Int64?
  var name: String
  var crates: Int
  var sealedCrates: Int
  var heaviest: Int?
  static let crates = aggregate { $0.crates.count }
  static let sealedCrates = aggregate { $0.crates.filter { $0.isSealed }.count }
  static let heaviest = aggregate { $0.crates.max(\.size) }
}

@Projection(of: Crate.self)
struct CrateSummary: Hashable {
  var id: UUID
  var label: String
  var placeName: String?
  var openNotes: Int
  static let placeName = aggregate { $0.place.name }
  static let openNotes = aggregate { $0.notes.filter { !$0.isDone }.count }
}
