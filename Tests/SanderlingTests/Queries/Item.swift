import Foundation
import Sanderling

/// A record with a column of every type that queries treat differently.
@Record
struct Item {
  enum Grade: Int, SortableColumnValue { case low, middle, high }

  var id: Int
  @Stored(collation: .nocase) var name: String
  var size: Int
  var weight: Double
  var note: String?
  var rank: Int?
  var grade: Grade
}

extension Store {
  /// Makes a store in memory with five items.
  static func items() async throws -> Store {
    let store = try Store(inMemory: [Item.self])
    try await store.write("fill") { tx in
      try tx.insert(contentsOf: [
        Item(id: 1, name: "anchor", size: 7, weight: 2.5, note: nil, rank: 3, grade: .high),
        Item(id: 2, name: "Buoy", size: -7, weight: -0.5, note: "red", rank: nil, grade: .low),
        Item(id: 3, name: "cleat", size: 0, weight: 0, note: "", rank: 1, grade: .middle),
        Item(id: 4, name: "ANCHOR", size: 9, weight: 1e300, note: "red", rank: 2, grade: .low),
        Item(id: 5, name: "dinghy", size: 2, weight: 0.125, note: "Röd", rank: nil, grade: .high),
      ])
    }
    return store
  }
}
