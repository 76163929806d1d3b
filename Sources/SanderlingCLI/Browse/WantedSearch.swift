import GRDB
import Sanderling
import Synchronization

/// The search that is currently wanted. The statements of other searches end at their current row: otherwise a
/// connection would read a whole long table for a letter that is no longer the last.
final class WantedSearch: Sendable {
  private let number = Atomic<Int64>(0)

  private static let functionName = "browse_is_wanted"

  /// - Parameter database: All of whose statements are the browser's.
  init(_ database: DatabaseQueue) {
    database.inDatabase { db in
      db.add(
        function: DatabaseFunction(Self.functionName, argumentCount: 1, pure: false) { [weak self] values in
          guard let self, Int64.fromDatabaseValue(values[0]) == number.load(ordering: .relaxed) else {
            throw DatabaseError(message: "another search has replaced this one")
          }
          return true
        })
    }
  }

  /// Ends the search that was wanted.
  func end() {
    number.wrappingAdd(1, ordering: .relaxed)
  }

  /// A condition that is true as long as no other search is wanted.
  var condition: [RawFragment] {
    [.sql("\(Self.functionName)("), .value(.integer(number.load(ordering: .relaxed))), .sql(")")]
  }
}
