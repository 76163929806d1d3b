// swift-format-ignore-file
// The records of a new database for SampleModel3_V1.sqlite, a store of Core Data, made by `sanderling records --move`.
import Foundation
import Sanderling

enum SampleModel3_V1Move {
  // Run the move before a store is opened at the new path: see StoreMove.


  @Record
  struct User {
    var id: Int64?
    var name: String
    var petName: String?
  }

  static let schema: [any StoredRecord.Type] = [User.self]

  static let entities = ["User": 1]

  static let tables = [
    StoreMove.Table(
      User.self, from: "ZUSER",
      [
        "id": "Z_PK",
        "name": "ZNAME",
        "petName": "ZPETNAME",
      ]),
  ]

  static func move(from oldPath: String, to newPath: String) -> StoreMove {
    StoreMove(from: oldPath, to: newPath, schema: schema, entities: entities, tables: tables)
  }
}
