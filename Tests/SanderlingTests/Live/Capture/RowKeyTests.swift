import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Row keys and row images as values: equality, reading and binding.
@Suite struct RowKeyTests {
  static let values: [[StorageValue]] = [
    [.integer(1)], [.integer(-1)], [.real(1)], [.text("1")], [.text("é")], [.text("e\u{301}")], [.text("")],
    [.blob(Data())],
    [.blob(Data([49]))], [.blob(Data(0..<16))], [.blob(Data(1..<17))], [.null], [], [.integer(1), .integer(1)],
    [.text("a"), .text("b")], [.text("ab"), .text("")],
  ]

  @Test func keysAreEqualWhenTheirBytesAre() {
    for (index, values) in Self.values.enumerated() {
      for (other, others) in Self.values.enumerated() {
        #expect((RowKey(values) == RowKey(others)) == (index == other), "\(values) \(others)")
      }
      #expect(RowKey(values).values == values)
      #expect(RowKey(values).hashValue == RowKey(values).hashValue)
    }
    #expect(Set(Self.values.map { RowKey($0) }).count == Self.values.count)
  }

  @Test func shortFormsAreTheSame() {
    let uuid = UUID()
    #expect(RowKey(integer: 7) == RowKey([.integer(7)]))
    #expect(RowKey(text: "é") == RowKey([.text("é")]))
    #expect(RowKey(uuid: uuid) == RowKey([withUnsafeBytes(of: uuid.uuid) { .blob(Data($0)) }]))
    #expect(RowKey([.real(-0.0)]) == RowKey([.real(0)]))
  }

  @Test func keysAreReadAndBound() throws {
    try DatabaseQueue().inDatabase { db in
      for values in Self.values where !values.isEmpty {
        let sql = "SELECT " + values.map { _ in "?" }.joined(separator: ", ")
        let execution = StatementExecution(try db.makeStatement(sql: sql), recorder: nil)
        try execution.bind { try RowKey(values).bind(to: $0, from: 1) }
        try execution.forEach { #expect(RowKey(reading: $0, count: values.count) == RowKey(values)) }
      }
    }
  }

  @Test func imagesAreEqualWhenTheirBytesAre() throws {
    let layout = CaptureLayout(table: RecordType(NumberedRow.self), columns: [1, 2])
    func image(_ values: String, _ layout: CaptureLayout) throws -> RowImage {
      try DatabaseQueue().inDatabase { db in
        var image: RowImage?
        try StatementExecution(try db.makeStatement(sql: "SELECT \(values)"), recorder: nil).forEach {
          image = RowImage(reading: $0, layout: layout)
        }
        return try #require(image)
      }
    }
    let values = ["1, 2", "1.0, 2", "'1', 2", "x'31', 2", "0.0, 2", "-0.0, 2", "NULL, 2", "2, 1", "'', ''", "x'', ''"]
    for (index, value) in values.enumerated() {
      for (other, otherValue) in values.enumerated() {
        #expect(
          try (image(value, layout) == image(otherValue, layout)) == (index == other), "\(value) and \(otherValue)")
      }
    }
    let other = CaptureLayout(table: RecordType(NumberedRow.self), columns: [1, 3])
    #expect(try image("1, 2", layout) != image("1, 2", other))
    #expect(try image("1, 2", layout) == image("1, 2", CaptureLayout(table: layout.table, columns: [2, 1])))
  }
}
