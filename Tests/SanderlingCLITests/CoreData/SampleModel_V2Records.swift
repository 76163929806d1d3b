// swift-format-ignore-file
// The records of SampleModel_V2.sqlite, a store of Core Data, made by `sanderling records`.
import Foundation
import Sanderling

enum SampleModel_V2 {
  // Open it read-only: Core Data can't follow the rows that another program writes.


  @Record("ZCAR", indexes: [.on(\.maker, \.numberPlate), .unique(on: \.numberPlate)])
  struct Car {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZMAKER") var maker: String?
    @Stored("ZMARKEDFORDELETIONASOF") var markedForDeletionAsOf: Date?
    @Stored("ZMODEL") var model: String?
    @Stored("ZNUMBERPLATE") var numberPlate: String
    @Stored("ZOWNER") @References(Person.self, onDelete: .setNull) var ownerID: Int64?
    static let owner = belongsTo(Person.self, by: \.ownerID)
  }

  // The sub-entity of Car with the number 2.
  @Record(view: "ZCAR")
  struct SportCar {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZMAKER") var maker: String?
    @Stored("ZMARKEDFORDELETIONASOF") var markedForDeletionAsOf: Date?
    @Stored("ZMODEL") var model: String?
    @Stored("ZNUMBERPLATE") var numberPlate: String
    @Stored("ZOWNER") var ownerID: Int64?
    static let owner = belongsTo(Person.self, by: \.ownerID)
    static let defaultScope = Condition<SportCar> { $0.entity.in([2, 3]) }
  }

  // The sub-entity of SportCar with the number 3.
  @Record(view: "ZCAR")
  struct LuxuryCar {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZMAKER") var maker: String?
    @Stored("ZMARKEDFORDELETIONASOF") var markedForDeletionAsOf: Date?
    @Stored("ZMODEL") var model: String?
    @Stored("ZNUMBERPLATE") var numberPlate: String
    @Stored("ZISLIMITEDEDITION") var isLimitedEdition: Bool? = false
    @Stored("ZOWNER") var ownerID: Int64?
    static let owner = belongsTo(Person.self, by: \.ownerID)
    static let defaultScope = Condition<LuxuryCar> { $0.entity == 3 }
  }

  @Record("ZPERSON", indexes: [.unique(on: \.firstName, \.lastName)])
  struct Person {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZFIRSTNAME") var firstName: String?
    @Stored("ZLASTNAME") var lastName: String?
    @Stored("ZUPDATEDAT") var updatedAt: Date
    static let cars = hasMany(Car.self, by: \.ownerID)
  }

  static let schema: [any StoredRecord.Type] = [Car.self, SportCar.self, LuxuryCar.self, Person.self]
}
