import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// The lines that *Coming from Realm* has apps write are loaded with every value.
@Suite struct RealmLinesTests {
  enum Kind: String, ColumnValue { case home, work }

  @Record
  struct Project: Equatable {
    @PrimaryKey var id: String
    var name: String
  }

  @Record
  struct TodoTask: Equatable {
    @PrimaryKey var id: String
    @References(Project.self, onDelete: .cascade) var projectID: String?
    var title: String
    var isDone = false
    var dueAt: Date?
    var price: Decimal?
    var photo: Data?
    var uuid: UUID
    var kind: Kind
    @Stored(as: .json) var labels: [String] = []
  }

  /// A line as an app writes it: ids and decimals as texts, everything else as `JSONEncoder` writes it.
  private struct Line: Encodable {
    var id: String
    var projectID: String?
    var title: String
    var isDone: Bool
    var dueAt: Date?
    var price: String?
    var photo: Data?
    var uuid: UUID
    var kind: String
    var labels: [String]
  }

  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(path: folder.path("app.sqlite"), schema: [Project.self, TodoTask.self])
  }

  private func write(_ lines: [some Encodable], to name: String, hasPlainDates: Bool = false) throws {
    let encoder = JSONEncoder()
    if !hasPlainDates {
      encoder.dateEncodingStrategy = .custom { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      }
    }
    let data = try lines.map { try encoder.encode($0) + Data([10]) }.reduce(Data(), +)
    try data.write(to: URL(fileURLWithPath: folder.path(name)))
  }

  private func load(_ record: SyncedRecord) async throws -> [String] {
    let source = JSONLinesSource(path: folder.path("\(record.name).jsonl"), of: record)
    let records = [SyncedRecord(Project.self), SyncedRecord(TodoTask.self)]
    let session = try await SyncSession("realm \(record.name)", store: store, records: records, source: source)
    try await session.run()
    return try await session.quarantine().map(\.reason)
  }

  @Test func eachValueArrives() async throws {
    var random = SeededGenerator(seed: 11)
    let titles = ["Ünïcode 👩‍👩‍👧", "quote \" and \\", "line\nbreak", ""]
    var tasks: [TodoTask] = []
    for number in 0..<500 {
      var task = TodoTask(
        id: String(format: "%024x", number), title: titles[number % 4], uuid: UUID(),
        kind: number % 2 == 0 ? .home : .work)
      task.isDone = number % 2 == 0
      if number % 3 != 0 { task.projectID = "p\(number % 7)" }
      let seconds = Double(Int.random(in: -9_999_999...999_999_999, using: &random)) / 4
      if number % 5 != 0 { task.dueAt = Date(timeIntervalSinceReferenceDate: seconds) }
      if number % 4 != 0 { task.price = Decimal(string: "12345678901234567890.\(number)5") }
      if number % 6 != 0 { task.photo = Data((0..<number % 40).map { UInt8($0) &* 7 }) }
      for label in 0..<number % 3 { task.labels.append("label \(label)") }
      tasks.append(task)
    }
    try write(
      tasks.map {
        Line(
          id: $0.id, projectID: $0.projectID, title: $0.title, isDone: $0.isDone, dueAt: $0.dueAt,
          price: $0.price?.description, photo: $0.photo, uuid: $0.uuid, kind: $0.kind.rawValue, labels: $0.labels)
      }, to: "todoTask.jsonl")
    struct ProjectLine: Encodable { var id, name: String }
    try write((0..<7).map { ProjectLine(id: "p\($0)", name: "Project \($0)") }, to: "project.jsonl")
    // Tasks whose projects are not there yet wait for the projects.
    #expect(try await load(SyncedRecord(TodoTask.self)) == [])
    #expect(try await load(SyncedRecord(Project.self)) == [])
    #expect(try await load(SyncedRecord(TodoTask.self)) == [])
    #expect(try await store.fetch(TodoTask.order { $0.id }) == tasks.sorted { $0.id < $1.id })
  }

  /// A decimal that is not finite, and a value of another type, are named with their lines.
  @Test func valuesThatDoNotFitAreNamed() async throws {
    let id = UUID()
    func line(_ name: String, _ price: String?, _ kind: String) -> Line {
      Line(id: name, title: "t", isDone: false, price: price, uuid: id, kind: kind, labels: [])
    }
    let lines = [
      line("0", "NaN", "home"), line("1", "12.5", "home"), line("2", "Infinity", "home"), line("3", nil, "other"),
    ]
    try write(lines, to: "todoTask.jsonl")
    let reasons = try await load(SyncedRecord(TodoTask.self))
    #expect(reasons.count == 3)
    #expect(reasons.contains { $0.contains("line 1") } && reasons.contains { $0.contains("line 4") })
    #expect(try await store.fetch(TodoTask.select { $0.id }) == ["1"])
  }

  /// A date as a number is refused: it may count from 1970 or from 2001, in seconds or in milliseconds.
  @Test func datesAsNumbersAreNamed() async throws {
    let line = Line(
      id: "0", title: "t", isDone: false, dueAt: Date(timeIntervalSinceReferenceDate: 5), uuid: UUID(), kind: "home",
      labels: [])
    try write([line], to: "todoTask.jsonl", hasPlainDates: true)
    let reasons = try await load(SyncedRecord(TodoTask.self))
    #expect(reasons.count == 1 && reasons.first?.contains("a Date is stored as real") == true)
  }
}
