// swift-format-ignore-file
// The records of a new database for SampleModel_V2.sqlite, a store of Core Data, made by `sanderling records --move`.
import Foundation
import Sanderling

enum SampleModel_V2Move {
  // Run the move before a store is opened at the new path: see StoreMove.


  @Record(indexes: [.on(\.maker, \.numberPlate), .unique(on: \.numberPlate)])
  struct Car {
    var id: Int64?
    // The name of the entity: Car, SportCar, LuxuryCar.
    var kind: String
    var maker: String?
    var markedForDeletionAsOf: Date?
    var model: String?
    var numberPlate: String
    @References(Person.self, onDelete: .setNull) var ownerID: Int64?
    var isLimitedEdition: Bool?
    static let owner = belongsTo(Person.self, by: \.ownerID)
  }

  // A sub-entity of Car, to read: Car writes its rows.
  @Record(view: "car")
  struct SportCar {
    var id: Int64
    var kind: String
    var maker: String?
    var markedForDeletionAsOf: Date?
    var model: String?
    var numberPlate: String
    var ownerID: Int64?
    static let owner = belongsTo(Person.self, by: \.ownerID)
    static let defaultScope = Condition<SportCar> { $0.kind.in(["SportCar", "LuxuryCar"]) }
  }

  // A sub-entity of SportCar, to read: Car writes its rows.
  @Record(view: "car")
  struct LuxuryCar {
    var id: Int64
    var kind: String
    var maker: String?
    var markedForDeletionAsOf: Date?
    var model: String?
    var numberPlate: String
    var ownerID: Int64?
    var isLimitedEdition: Bool?
    static let owner = belongsTo(Person.self, by: \.ownerID)
    static let defaultScope = Condition<LuxuryCar> { $0.kind == "LuxuryCar" }
  }

  @Record(indexes: [.unique(on: \.firstName, \.lastName)])
  struct Person {
    var id: Int64?
    var firstName: String?
    var lastName: String?
    var updatedAt: Date
    static let cars = hasMany(Car.self, by: \.ownerID)
  }

  static let schema: [any StoredRecord.Type] = [Car.self, SportCar.self, LuxuryCar.self, Person.self]

  static let entities = ["Car": 1, "SportCar": 2, "ExpensiveSportCar": 3, "LuxuryCar": 3, "Person": 4]

  static let tables = [
    StoreMove.Table(
      Car.self, from: "ZCAR", entity: "kind",
      [
        "id": "Z_PK",
        "kind": "CASE Z_ENT WHEN 1 THEN 'Car' WHEN 2 THEN 'SportCar' WHEN 3 THEN 'LuxuryCar' END",
        "maker": "ZMAKER",
        "markedForDeletionAsOf": "ZMARKEDFORDELETIONASOF",
        "model": "ZMODEL",
        "numberPlate": "ZNUMBERPLATE",
        "ownerID": "ZOWNER",
        "isLimitedEdition": "ZISLIMITEDEDITION",
      ]),
    StoreMove.Table(
      Person.self, from: "ZPERSON",
      [
        "id": "Z_PK",
        "firstName": "ZFIRSTNAME",
        "lastName": "ZLASTNAME",
        "updatedAt": "ZUPDATEDAT",
      ]),
  ]

  static func move(from oldPath: String, to newPath: String) -> StoreMove {
    StoreMove(from: oldPath, to: newPath, schema: schema, entities: entities, tables: tables)
  }
}
