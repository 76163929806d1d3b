import Foundation
import Sanderling
import Testing

@Suite struct BackupTests {
  let folder = TemporaryFolder()
  private var copy: String { folder.path("copy.sqlite") }

  @Test(arguments: StoreKind.allCases)
  func isAWholeDatabaseInOneFile(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    try await store.write("ring") { tx in
      try tx.insert(contentsOf: (1...1000).map { Bird(ring: "A\($0)", species: "knot") })
    }
    try await store.backup(to: copy)
    #expect(try folder.fileNames.filter { !$0.hasPrefix("store") } == ["copy.sqlite"])
    let restored = try Store(path: copy, schema: birdSchema)
    #expect(try await restored.birds == store.birds)
    #expect(try await restored.integrityCheck() == [])
    try await restored.write("ring") { try $0.insert(Bird(ring: "B1", species: "knot")) }
    #expect(try await store.birds.count == 1000)
  }

  /// A copy is one state of the database: each write adds a pair of birds, and the copy has both or none of each pair.
  @Test(.timeLimit(.minutes(10)), arguments: StoreKind.allCases)
  func copyIsOneStateDuringWrites(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let writing = Task {
      var count = 0
      while !Task.isCancelled {
        count += 1
        let number = count
        // A separate task, so that the last write isn't cancelled together with the loop.
        _ = try await Task {
          try await store.write("ring a pair") { tx in
            try tx.insert(contentsOf: ["male", "female"].map { Bird(ring: "\($0) \(number)", species: "knot") })
          }
        }.value
      }
      return count
    }
    var counts: [Int] = []
    for number in 1...20 {
      let path = folder.path("copy \(number).sqlite")
      try await store.backup(to: path)
      let copy = try Store(path: path, schema: birdSchema)
      #expect(try await copy.integrityCheck() == [])
      counts.append(try await copy.birds.count)
      try copy.close()
    }
    writing.cancel()
    let written = try await writing.value
    #expect(counts.allSatisfy { $0.isMultiple(of: 2) && $0 <= 2 * written })
    #expect(counts == counts.sorted())
    #expect(try await store.birds.count == 2 * written)
  }

  @Test(arguments: StoreKind.allCases)
  func leavesAnExistingFileAlone(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    try Data("precious".utf8).write(to: URL(filePath: copy))
    let error = await #expect(throws: StoreError.self) { try await store.backup(to: copy) }
    #expect(
      error?.localizedDescription
        == "\(copy) can't be opened: there is a file already; remove it, or choose another name.")
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == "precious")
    #expect(try folder.fileNames.filter { !$0.hasPrefix("store") } == ["copy.sqlite"])
  }

  @Test func failedBackupLeavesNoFile() async throws {
    let store = try folder.store()
    let path = folder.path("missing/copy.sqlite")
    await #expect(throws: StoreError.self) { try await store.backup(to: path) }
    #expect(try folder.fileNames.filter { !$0.hasPrefix("store") } == [])
    try store.close()
    await #expect(throws: StoreError.closed) { try await store.backup(to: copy) }
    #expect(try folder.fileNames.filter { !$0.hasPrefix("store") } == [])
  }

  /// The error names the copy, which can't be written.
  @Test func errorNamesTheCopy() async throws {
    let store = try folder.store()
    let path = folder.path("missing/copy.sqlite")
    let reason = "unable to open database file; check its folder, and the permissions of the folder and the file"
    await #expect(throws: StoreError.cannotOpen(path: path, reason: reason)) {
      try await store.backup(to: path)
    }
  }
}
