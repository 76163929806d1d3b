import Foundation
import Sanderling

/// All records of a world. Every database has a table for each of them.
let fuzzRecords: [any FuzzRecord.Type] = [Place.self, Person.self, Crate.self, Tag.self, Note.self]

/// Records on views, which some databases have.
let fuzzViews: [any FuzzRecord.Type] = [SizedCrate.self, PlaceLoad.self]

extension Place: FuzzRecord {
  static let kinds: [ColumnKind] = [.placeKey, .placeKey, .text, .text, .text, .integer, .real, .flag, .blob]
  static let toOne: [any ToOneLink] = [OneLink(parent), OneLink(openParent)]
  static let toMany: [any ToManyLink] = [
    ManyLink(children), ManyLink(descendants), ManyLink(openSubtree), ManyLink(crates), ManyLink(crates),
    ManyLink(sealedCrates), ManyLink(tags), ManyLink(ownersOfSealed), ManyLink(siblings),
  ]

  static func key(_ values: [StorageValue]) -> Int64? { try? Int64.decode(values[0]) }
}

extension Crate: FuzzRecord {
  static let kinds: [ColumnKind] = [
    .crateKey, .placeKey, .loginKey, .text, .text, .integer, .real, .flag, .date,
  ]
  static let toOne: [any ToOneLink] = [OneLink(place), OneLink(place), OneLink(openPlace), OneLink(owner)]
  static let toMany: [any ToManyLink] = [
    ManyLink(tags), ManyLink(notes), ManyLink(notes), ManyLink(taggedNotes), ManyLink(taggedNotes),
    ManyLink(notesOfSealed),
  ]

  static func key(_ values: [StorageValue]) -> UUID? { try? UUID.decode(values[0]) }
}

extension Person: FuzzRecord {
  static let kinds: [ColumnKind] = [.loginKey, .loginKey, .text, .integer, .real, .flag, .integer]
  static let toOne: [any ToOneLink] = [OneLink(boss)]
  static let toMany: [any ToManyLink] = [
    ManyLink(reports), ManyLink(staff), ManyLink(crates), ManyLink(openPlaces), ManyLink(notes),
  ]

  static func key(_ values: [StorageValue]) -> String? { try? String.decode(values[0]) }
}

extension Tag: FuzzRecord {
  static let kinds: [ColumnKind] = [.crateKey, .word, .integer, .text]
  static let toOne: [any ToOneLink] = [OneLink(crate)]
  static let toMany: [any ToManyLink] = [ManyLink(notes)]

  static func key(_ values: [StorageValue]) -> Key? {
    guard values.count == 2, let crate = try? UUID.decode(values[0]), let word = try? String.decode(values[1]) else {
      return nil
    }
    return Key(crateID: crate, word: word)
  }
}

extension Note: FuzzRecord {
  static let kinds: [ColumnKind] = [
    .noteKey, .crateKey, .crateKey, .word, .text, .integer, .real, .flag, .date,
  ]
  static let toOne: [any ToOneLink] = [OneLink(crate), OneLink(crate), OneLink(tag)]
  static let toMany: [any ToManyLink] = [ManyLink(notesOfTag)]

  static func key(_ values: [StorageValue]) -> Int? { try? Int.decode(values[0]) }
}

extension SizedCrate: FuzzRecord {
  static let kinds: [ColumnKind] = [.crateKey, .placeKey, .text, .integer, .flag]
  static let toOne: [any ToOneLink] = [OneLink(place)]
  static let toMany: [any ToManyLink] = [ManyLink(notes)]

  static func key(_ values: [StorageValue]) -> UUID? { try? UUID.decode(values[0]) }
}

extension PlaceLoad: FuzzRecord {
  static let kinds: [ColumnKind] = [.placeKey, .integer, .integer]
  static let toOne: [any ToOneLink] = [OneLink(place)]
  static let toMany: [any ToManyLink] = [ManyLink(sizedCrates)]

  static func key(_ values: [StorageValue]) -> Int64? { try? Int64.decode(values[0]) }
}

extension PlaceSummary: FuzzOutput {
  func storedValues() throws -> [StorageValue] {
    [
      try StorageValue(id, as: Int64?.self), try StorageValue(name, as: String.self),
      try StorageValue(crates, as: Int.self), try StorageValue(sealedCrates, as: Int.self),
      try StorageValue(heaviest, as: Int?.self),
    ]
  }
}

extension CrateSummary: FuzzOutput {
  func storedValues() throws -> [StorageValue] {
    [
      try StorageValue(id, as: UUID.self), try StorageValue(label, as: String.self),
      try StorageValue(placeName, as: String?.self), try StorageValue(openNotes, as: Int.self),
    ]
  }
}
