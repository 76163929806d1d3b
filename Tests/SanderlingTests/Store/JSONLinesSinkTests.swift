import Foundation
import Testing

@testable import Sanderling

@Suite struct JSONLinesSinkTests {
  let folder = TemporaryFolder()
  private var file: URL { URL(filePath: folder.path("trace.jsonl")) }

  /// The lines of the file, each a JSON object.
  private func lines() throws -> [[String: any Sendable]] {
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.isEmpty || text.hasSuffix("\n"))
    return try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let dictionary = try #require(object as? [String: Any])
      return dictionary.mapValues { $0 as? String ?? ($0 as? NSNumber)?.int64Value ?? 0 as any Sendable }
    }
  }

  @Test func aStatementIsALine() async throws {
    let store = try folder.store(birds: 3, tracing: .ownStatements)
    let sink = try JSONLinesSink(appendingTo: file)
    store.add(sink)
    try await StoreOperation.run("open \"home\"\n") {
      _ = try await store.texts("SELECT ring FROM bird WHERE species = \("secret")")
      try await store.write("mark") { try $0.update(Bird.where { $0.id <= 2 }, .set(\.sightings, to: 0)) }
    }
    try sink.flush()
    let lines = try lines()
    #expect(lines.count == 2)
    #expect(lines[0]["operation"] as? String == "open \"home\"\n")
    #expect(lines[0]["sql"] as? String == "SELECT ring FROM bird WHERE species = ?")
    #expect(lines[0]["rows"] as? Int64 == 0)
    #expect(lines[1]["operation"] as? String == "mark")
    #expect(lines[1]["parentID"] as? Int64 == lines[0]["operationID"] as? Int64)
    #expect(lines[1]["rows"] as? Int64 == 2)
    let names: Set = [
      "operation", "operationID", "sql", "rows", "nanoseconds", "fullScanSteps", "sorts", "automaticIndexRows",
      "virtualMachineSteps",
    ]
    #expect(Set(lines[0].keys) == names)
    #expect(Set(lines[1].keys) == names.union(["parentID"]))
    #expect(
      lines.allSatisfy { ($0["nanoseconds"] as? Int64 ?? 0) > 0 && ($0["virtualMachineSteps"] as? Int64 ?? 0) > 0 })
    #expect(try !String(contentsOf: file, encoding: .utf8).contains("secret"))
  }

  /// A sink writes values only if it requests them itself, whatever another listener requests.
  @Test(arguments: [true, false])
  func valuesAreWrittenOnlyIfTheSinkRequestsThem(includingValues: Bool) async throws {
    let store = try folder.store(tracing: .ownStatements)
    let sink = try JSONLinesSink(appendingTo: file)
    store.add(sink, includingValues: includingValues)
    let (_, recorded) = try await store.record(includingValues: !includingValues) {
      try await store.texts("SELECT \("say \"ñ\"")")
    }
    try sink.flush()
    let expanded = #"SELECT 'say "ñ"'"#
    #expect(try lines().map { $0["expandedSQL"] as? String } == [includingValues ? expanded : nil])
    #expect(recorded.map(\.expandedSQL) == [includingValues ? nil : expanded])
  }

  /// No line is lost, torn or doubled while reads and writes run and the file is written and flushed.
  @Test(arguments: StoreKind.allCases)
  func everyStatementOfABusyProcess(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let (sink, keeping) = (try JSONLinesSink(appendingTo: file), KeepingSink())
    store.add(sink)
    store.add(keeping)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask { _ = try await store.texts("SELECT 'read \(raw: "\(number)")'") }
        group.addTask {
          try await store.write("ring") { _ = try $0.insert(Bird(ring: "\(number)", species: "knot")) }
        }
        if number.isMultiple(of: 20) { group.addTask { try sink.flush() } }
      }
      try await group.waitForAll()
    }
    try sink.flush()
    let lines = try lines()
    #expect(lines.compactMap { $0["sql"] as? String }.sorted() == keeping.statements.map(\.sql).sorted())
    for number in 0..<200 {
      #expect(lines.count { $0["sql"] as? String == "SELECT 'read \(number)'" } == 1)
    }
  }

  @Test func aFileIsAppendedTo() async throws {
    for number in 1...3 {
      let store = try folder.store(tracing: .ownStatements)
      let sink = try JSONLinesSink(appendingTo: file)
      store.add(sink)
      _ = try await store.texts("SELECT 'run \(raw: "\(number)")'")
      try sink.flush()
      try store.close()
    }
    #expect(try lines().map { $0["sql"] as? String } == ["SELECT 'run 1'", "SELECT 'run 2'", "SELECT 'run 3'"])
  }

  @Test func aFileThatCanNotBeOpened() {
    #expect(throws: (any Error).self) {
      try JSONLinesSink(appendingTo: URL(filePath: folder.path("missing/trace.jsonl")))
    }
  }

  #if os(Linux)
    /// Writing to this device fails as on a full disk. The store still works, and each flush reports the error.
    @Test func flushReportsWriteErrors() async throws {
      let store = try folder.store()
      let sink = try JSONLinesSink(appendingTo: URL(filePath: "/dev/full"))
      store.add(sink)
      _ = try await store.texts("SELECT 'kept'")
      for _ in 0..<2 {
        let error = #expect(throws: JSONLinesSink.WriteError.self) { try sink.flush() }
        #expect(error?.path == "/dev/full" && error?.code == .ENOSPC)
        #expect(error?.localizedDescription.contains("/dev/full: No space left on device") == true)
      }
      #expect(try await store.texts("SELECT 'goes on'") == ["goes on"])
      #expect(sink.droppedCount == 0)
    }

    /// While the disk is full, a sink keeps no more lines than its limit, and counts the dropped lines.
    @Test func aFullDiskTakesNoMemory() async throws {
      let sink = try JSONLinesSink(appendingTo: URL(filePath: "/dev/full"), bufferLimit: 20_000)
      for number in 0..<1_000 { sink.receive(record("SELECT \(number)")) }
      #expect(throws: JSONLinesSink.WriteError.self) { try sink.flush() }
      // A line counts as 256 bytes plus its statement until it is encoded. Encoded lines take about 120 bytes here.
      #expect(sink.keptByteCount <= 20_000 && sink.keptByteCount > 5_000)
      #expect(sink.droppedCount > 800 && sink.droppedCount < 1_000)
    }
  #endif

  private func record(_ sql: String) -> StatementRecord {
    StatementRecord(
      operation: nil, sql: sql, expandedSQL: nil, rowCount: 0, duration: .zero,
      counters: .init(fullScanSteps: 0, sorts: 0, automaticIndexRows: 0, virtualMachineSteps: 0))
  }

  /// A sink that is released while its pipe is full, and has no reader, drops its lines.
  @Test func aReleasedSinkDoesNotWaitForAReader() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    var sink: JSONLinesSink? = JSONLinesSink(pipe.fileHandleForWriting, path: "pipe", bufferLimit: 1_000_000)
    for _ in 0..<3 { sink?.receive(record(String(repeating: " ", count: 70_000))) }
    #expect(throws: JSONLinesSink.WriteError.self) { try sink?.flush() }
    _ = fcntl(descriptor, F_SETFL, flags)
    sink = nil
    // Reading ends at the end of the pipe, since the sink has closed it.
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count) > 0 {}
  }

  /// A pipe without a reader takes a part of the first line, which is longer than the pipe's buffer. Once it is read,
  /// the sink writes all kept lines, whole and in order, and the number of missing lines.
  @Test func keptLinesAreWrittenOnceThereIsSpace() throws {
    let pipe = Pipe()
    let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
    for file in [reading, writing] {
      _ = fcntl(file.fileDescriptor, F_SETFL, fcntl(file.fileDescriptor, F_GETFL) | O_NONBLOCK)
    }
    let sink = JSONLinesSink(writing, path: "pipe", bufferLimit: 100_000)
    let statements = (0..<2_000).map { "SELECT \($0)" + String(repeating: " ", count: $0 == 0 ? 70_000 : 0) }
    for sql in statements { sink.receive(record(sql)) }
    let error = #expect(throws: JSONLinesSink.WriteError.self) { try sink.flush() }
    #expect(error?.code == .EAGAIN)
    let dropped = sink.droppedCount
    #expect(dropped > 0)
    var bytes = Data()
    func read() {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = Foundation.read(reading.fileDescriptor, &buffer, buffer.count), count > 0 {
        bytes += buffer[..<count]
      }
    }
    // The lines exceed the pipe's buffer, so that several flushes are needed.
    while true {
      read()
      do {
        try sink.flush()
        break
      } catch is JSONLinesSink.WriteError {}
    }
    read()
    sink.receive(record("SELECT 'last'"))
    try sink.flush()
    read()
    let lines = try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let kept = lines.compactMap { $0["sql"] as? String }
    #expect(kept == Array(statements.dropLast(dropped)) + ["SELECT 'last'"])
    #expect(lines.compactMap { $0["dropped"] as? Int } == [dropped])
    #expect(lines.firstIndex { $0["dropped"] != nil } == 2_000 - dropped)
    #expect(sink.droppedCount == dropped && sink.keptByteCount == 0)
  }
}
