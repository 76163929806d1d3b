// swift-format-ignore-file
// The records of SampleModel3_V1.sqlite, a store of Core Data, made by `sanderling records`.
import Foundation
import Sanderling

enum SampleModel3_V1 {
  // Open it read-only: Core Data can't follow the rows that another program writes.


  @Record("ZUSER")
  struct User {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZNAME") var name: String
    @Stored("ZPETNAME") var petName: String?
  }

  static let schema: [any StoredRecord.Type] = [User.self]
}
