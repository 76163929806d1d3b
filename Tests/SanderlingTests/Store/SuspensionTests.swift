import Foundation
import GRDB
import Sanderling
import Testing

/// GRDB suspends databases that observe its notifications, which concern all of the process: one test at a time.
@Suite(.serialized) struct SuspensionTests {
  let folder = TemporaryFolder()

  private func store(function: DatabaseFunction? = nil) throws -> Store {
    var configuration = Configuration()
    configuration.observesSuspensionNotifications = true
    if let function { configuration.prepareDatabase { $0.add(function: function) } }
    return try folder.store(configuration: configuration)
  }

  private func post(_ name: Notification.Name) {
    NotificationCenter.default.post(name: name, object: nil)
  }

  @Test func writesWaitForTheAppAndReadsGoOn() async throws {
    let store = try store()
    post(Database.suspendNotification)
    defer { post(Database.resumeNotification) }
    let error = await #expect(throws: StoreError.self) {
      try await store.write("ring") { try $0.insert(Bird(ring: "A1", species: "knot")) }
    }
    #expect(error == .suspended)
    #expect(
      error?.localizedDescription == "The database is suspended with its app. Try again when the app is active.")
    #expect(try await store.birds == [])
    post(Database.resumeNotification)
    try await store.write("ring") { try $0.insert(Bird(ring: "A2", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == ["A2"])
  }

  /// The statement that runs is interrupted, and what the transaction did so far is undone.
  @Test func aWriteThatRunsIsUndone() async throws {
    let suspend = DatabaseFunction("suspend", argumentCount: 0) { _ in
      NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
      return 1
    }
    let store = try store(function: suspend)
    defer { post(Database.resumeNotification) }
    await #expect(throws: StoreError.suspended) {
      try await store.write("ring") { tx in
        try tx.insert(Bird(ring: "A1", species: "knot"))
        try tx.execute("UPDATE bird SET sightings = suspend()")
      }
    }
    post(Database.resumeNotification)
    #expect(try await store.birds == [])
    try await store.write("ring") { try $0.insert(Bird(ring: "A2", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == ["A2"])
  }
}
