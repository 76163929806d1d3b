import Foundation
import GRDB
import Testing

@testable import Sanderling

@Suite struct StoreLocationTests {
  @Record struct Item {
    var id: Int64?
    var title: String
  }

  @Test func theFolderIsMade() throws {
    let directory = FileManager.default.temporaryDirectory.appending(
      path: UUID().uuidString, directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: directory) }
    for _ in 0..<2 {
      let path = try StoreLocation.prepare("Garden/Data", "a b.sqlite", true, in: directory)
      #expect(path == directory.path(percentEncoded: false) + "Garden/Data/a b.sqlite")
      #expect(FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
      _ = try Store(path: path, schema: [Item.self])
    }
  }

  @Test(arguments: [("", "a"), ("/", "a"), ("..", "a"), ("a/../b", "a"), ("a", ""), ("a", "b/c")])
  func invalidFolderAndFileNamesAreRefused(folder: String, file: String) {
    #expect(
      throws: StoreError.cannotOpen(
        path: "\(folder)/\(file)", reason: "name a folder, without \"..\", and a file in it, without \"/\"")
    ) {
      try StoreLocation.applicationSupport(folder, file: file).prepare()
    }
  }

  @Test func aFileInTheWayOfTheFolder() throws {
    let directory = FileManager.default.temporaryDirectory
    let name = UUID().uuidString
    try Data().write(to: directory.appending(path: name))
    defer { try? FileManager.default.removeItem(at: directory.appending(path: name)) }
    #expect(throws: CocoaError.self) { try StoreLocation.prepare(name, "a", true, in: directory) }
  }

  @Test func applicationSupport() async throws {
    let folder = "sanderling-tests-\(UUID().uuidString)"
    let location = StoreLocation.applicationSupport(folder, isBackedUp: false)
    let path = try location.prepare()
    defer { try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent) }
    #expect(path.hasSuffix("/\(folder)/store.sqlite"))
    let store = try await Store.open(location, schema: [Item.self]) { try $0.insert(Item(id: 1, title: "first")) }
    #expect(store.path == path)
    #expect(try await store.count(Item.query) == 1)
    try store.close()
  }

  @Test func memory() async throws {
    let store = try await Store.open(.memory, schema: [Item.self]) { try $0.insert(Item(id: 1, title: "first")) }
    #expect(store.path == ":memory:")
    #expect(try await store.count(Item.query) == 1)
  }

  /// Adopting a busy writer doesn't block the caller's thread.
  @Test @MainActor func adoptingDoesNotBlockTheCaller() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { try $0.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT NOT NULL)") }
    let (started, busy) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    queue.asyncWriteWithoutTransaction { _ in
      started.signal()
      busy.wait()
    }
    started.wait()
    async let store = Store.open(queue, schema: [Item.self])
    // This signal would never run if the main actor were blocked.
    await Task { @MainActor in _ = busy.signal() }.value
    #expect(try await store.count(Item.query) == 0)
  }

  @Test func adoptingADatabaseWithoutTheTableIsRefused() async throws {
    let queue = try DatabaseQueue()
    await #expect(throws: StoreError.self) { try await Store.open(queue, schema: [Item.self]) }
  }
}
