import Foundation
import Sanderling
import SanderlingSync

@Record
struct Project {
  var id: UUID
  var name: String
  static let tasks = hasMany(TodoTask.self, by: \.projectID)
}

@Record(indexes: [.on(\.projectID, \.isCompleted, \.dueAt)])
struct TodoTask {
  var id: UUID
  @References(Project.self, onDelete: .cascade) var projectID: UUID
  var title: String
  var isCompleted = false
  @Stored(as: .unixMilliseconds) var dueAt: Date?
  static let project = belongsTo(Project.self, by: \.projectID)
}

func makeSession(_ store: Store) async throws -> SyncSession {
  let records = [SyncedRecord(Project.self), SyncedRecord(TodoTask.self)]
  let server = try KintoAdapter(
    url: URL(string: "http://127.0.0.1:8888/v1")!, bucket: "default", records: records,
    authorization: .basic(user: "ada", password: "secret"), follows: .polling(every: .seconds(1)))
  return try await SyncSession("ada at 127.0.0.1", store: store, records: records, source: server, sink: server)
}
