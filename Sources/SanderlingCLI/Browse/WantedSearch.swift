import GRDB
import Sanderling
import Synchronization

/// Which search somebody waits for. The statements of others end at the row that they look at: else a connection would read all of a long
/// table for a letter that isn't the last one any more.
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

  /// What is true as long as no other search is wanted.
  var condition: [RawFragment] {
    [.sql("\(Self.functionName)("), .value(.integer(number.load(ordering: .relaxed))), .sql(")")]
  }
}
