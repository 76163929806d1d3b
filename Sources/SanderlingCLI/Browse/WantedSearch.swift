import GRDB
import Sanderling
import Synchronization

/// The current search. Statements of earlier searches fail at their next row. Otherwise a connection would read all of
/// a long table for a text that has changed since.
final class WantedSearch: Sendable {
  private let number = Atomic<Int64>(0)

  private static let functionName = "browse_is_wanted"

  /// - Parameter database: A connection that only the browser uses.
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

  /// Ends the current search.
  func end() {
    number.wrappingAdd(1, ordering: .relaxed)
  }

  /// An SQL condition that is true while this search is current, and fails the statement afterwards.
  var condition: [RawFragment] {
    [.sql("\(Self.functionName)("), .value(.integer(number.load(ordering: .relaxed))), .sql(")")]
  }
}
