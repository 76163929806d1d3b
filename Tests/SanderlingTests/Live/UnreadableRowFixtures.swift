import Foundation

@testable import Sanderling

/// Jobs in which another version of the app may have stored an unknown stage.
enum Staged {
  enum Stage: String, SortableColumnValue {
    case open, done
  }

  struct Place: Codable, Hashable {
    var city: String
  }

  @Record
  struct Worker: Hashable {
    var id: Int
    var stage: Stage = .open
    static let jobs = hasMany(Job.self, by: \.workerID)
  }

  @Record
  struct Job: Hashable {
    var id: Int
    var workerID: Int?
    var rank: Int
    var stage: Stage = .open
    @Stored(as: JSONCoding<Place>.self) var place: Place = Place(city: "Oslo")
    @Searchable(.words) var title = ""
    static let worker = belongsTo(Worker.self, by: \.workerID)
  }

  static let schema: [any StoredRecord.Type] = [Worker.self, Job.self]

  /// Returns SQL that inserts a job, as another version of the app would, or replaces the job with its key.
  static func replacement(_ id: Int, workerID: Int?, rank: Int, stage: String) -> RawSQL {
    """
    INSERT OR REPLACE INTO job (id, workerID, rank, stage, place, title)
    VALUES (\(id), \(raw: workerID.map(String.init) ?? "NULL"), \(rank), \(stage), '{"city":""}', '')
    """
  }

  /// Returns the keys of a query's rows and whether each row is readable, by plain SQL.
  static func rows(
    _ store: Store, where condition: String = "1", order: String, window: Int = .max, offset: Int = 0
  ) async throws -> [(id: Int, isReadable: Bool)] {
    let sql: RawSQL = """
      SELECT id, stage IN ('open', 'done') AND json_extract(place, '$.city') IS NOT NULL FROM job
      WHERE \(raw: condition) ORDER BY \(raw: order) LIMIT \(min(window, 1_000)) OFFSET \(offset)
      """
    let rows: [(Int, Bool)] = try await store.fetch(RawQuery(sql, as: Int.self, Bool.self))
    return rows.map { (id: $0.0, isReadable: $0.1) }
  }
}

extension [UnreadableRow] {
  /// The keys of rows whose key is one integer.
  var ids: [Int] {
    map { row in
      guard case .integer(let id)? = row.key.first, row.key.count == 1 else { return -1 }
      return Int(id)
    }
  }
}
