import Foundation
import GRDB
import Sanderling

/// The record of the fetch, point and write suites: six columns of the usual types.
@Record
struct Item {
  var id: Int64
  var projectID: Int64
  var title: String
  var note: String?
  var dueAt: Date?
  var isCompleted: Bool

  static func sample(_ number: Int) -> Item {
    Item(
      id: Int64(number), projectID: Int64(number % 1000), title: "Task number \(number) of the list",
      note: number % 3 == 0 ? "A note that says a little more about task \(number)" : nil,
      dueAt: number % 2 == 0 ? Date(timeIntervalSinceReferenceDate: Double(number) * 60) : nil,
      isCompleted: number % 5 == 0)
  }
}

/// The same rows read by GRDB: by column index, by column name, and by Codable.
enum GRDBItem {
  struct ByIndex: FetchableRecord {
    let id: Int64
    let projectID: Int64
    let title: String
    let note: String?
    let dueAt: Double?
    let isCompleted: Bool

    init(row: Row) {
      id = row[0]
      projectID = row[1]
      title = row[2]
      note = row[3]
      dueAt = row[4]
      isCompleted = row[5]
    }
  }

  struct ByName: FetchableRecord {
    let id: Int64
    let projectID: Int64
    let title: String
    let note: String?
    let dueAt: Double?
    let isCompleted: Bool

    init(row: Row) {
      id = row["id"]
      projectID = row["projectID"]
      title = row["title"]
      note = row["note"]
      dueAt = row["dueAt"]
      isCompleted = row["isCompleted"]
    }
  }

  struct Coded: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "item"
    let id: Int64
    let projectID: Int64
    let title: String
    let note: String?
    let dueAt: Double?
    let isCompleted: Bool
  }
}

extension GRDBItem.Coded {
  init(_ item: Item) {
    self.init(
      id: item.id, projectID: item.projectID, title: item.title, note: item.note,
      dueAt: item.dueAt?.timeIntervalSinceReferenceDate, isCompleted: item.isCompleted)
  }
}
