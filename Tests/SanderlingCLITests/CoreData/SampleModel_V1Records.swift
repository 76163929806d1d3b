// swift-format-ignore-file
// The records of SampleModel_V1.sqlite, a store of Core Data, made by `sanderling records`.
import Foundation
import Sanderling

enum SampleModel_V1 {
  // Open it read-only: Core Data can't follow the rows that another program writes.


  @Record("ZCAR", indexes: [.unique(on: \.numberPlate)])
  struct Car {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    // Transformable by ColorTransformer: the bytes as they are stored.
    @Stored("ZCOLOR") var color: Data?
    @Stored("ZMAKER") var maker: String?
    @Stored("ZMARKEDFORDELETIONASOF") var markedForDeletionAsOf: Date?
    @Stored("ZMODEL") var model: String?
    @Stored("ZNUMBERPLATE") var numberPlate: String
    // currentDrivingSpeed is transient, and has no column.
    @Stored("ZOWNER") @References(Person.self, onDelete: .setNull) var ownerID: Int64?
    static let owner = belongsTo(Person.self, by: \.ownerID)
  }

  // The sub-entity of Car with the number 2.
  @Record(view: "ZCAR")
  struct SportCar {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    // Transformable by ColorTransformer: the bytes as they are stored.
    @Stored("ZCOLOR") var color: Data?
    @Stored("ZMAKER") var maker: String?
    @Stored("ZMARKEDFORDELETIONASOF") var markedForDeletionAsOf: Date?
    @Stored("ZMODEL") var model: String?
    @Stored("ZNUMBERPLATE") var numberPlate: String
    // currentDrivingSpeed is transient, and has no column.
    @Stored("ZOWNER") var ownerID: Int64?
    static let owner = belongsTo(Person.self, by: \.ownerID)
    static let defaultScope = Condition<SportCar> { $0.entity.in([2, 3]) }
  }

  // The sub-entity of SportCar with the number 3.
  @Record(view: "ZCAR")
  struct ExpensiveSportCar {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    // Transformable by ColorTransformer: the bytes as they are stored.
    @Stored("ZCOLOR") var color: Data?
    @Stored("ZMAKER") var maker: String?
    @Stored("ZMARKEDFORDELETIONASOF") var markedForDeletionAsOf: Date?
    @Stored("ZMODEL") var model: String?
    @Stored("ZNUMBERPLATE") var numberPlate: String
    @Stored("ZISLIMITEDEDITION") var isLimitedEdition: Bool? = false
    // currentDrivingSpeed is transient, and has no column.
    @Stored("ZOWNER") var ownerID: Int64?
    static let owner = belongsTo(Person.self, by: \.ownerID)
    static let defaultScope = Condition<ExpensiveSportCar> { $0.entity == 3 }
  }

  @Record("ZPERSON", indexes: [.unique(on: \.firstName, \.lastName)])
  struct Person {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZFIRSTNAME") var firstName: String?
    @Stored("ZID") var id: UUID
    @Stored("ZLASTNAME") var lastName: String?
    @Stored("ZUPDATEDAT") var updatedAt: Date
    // isDriving is transient, and has no column.
    static let cars = hasMany(Car.self, by: \.ownerID)
  }

  static let schema: [any StoredRecord.Type] = [Car.self, SportCar.self, ExpensiveSportCar.self, Person.self]
}
