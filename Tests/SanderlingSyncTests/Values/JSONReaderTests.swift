import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// The reader accepts JSON by its grammar. Swift's conversions of text to numbers would accept more.
@Suite struct JSONReaderTests {
  private func value(_ text: String) throws -> ForeignValue {
    var reader = JSONReader(text)
    let value = try reader.value(depth: 1)
    try reader.end()
    return value
  }

  @Test(
    arguments: [
      ("0", .integer(0)), ("-0", .integer(0)), ("-0.0", .real(-0.0)), ("12", .integer(12)), ("1.50", .real(1.5)),
      ("-1.5e+3", .real(-1500)), ("2E-1", .real(0.2)), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number("9223372036854775808")),
      ("1e400", .number("1e400")), ("0.1234567890123456789", .number("0.1234567890123456789")), ("true", .bool(true)),
      (#""\u0041\u00e9\uD83D\uDC26\u000a""#, .text("Aé🐦\n")), (#""\u00E9""#, .text("é")), (#""\u0000""#, .text("\0")),
      ("[1e400, -0]", .json("[1e400, -0]")),
    ] as [(String, ForeignValue)])
  func validJSONIsRead(_ text: String, _ expected: ForeignValue) throws {
    #expect(try value(text) == expected)
  }

  @Test(
    arguments: [
      "+5", "--1", "-", "01", "-01", "00", ".5", "1.", "-.5", "1.e5", "1e", "1e+", "1e+-2", "0x10", "0b1", "1_000",
      "nan",
      "NaN", "inf", "Infinity", "-Infinity", "1f", "1.5L", "١", "１", "1 2", "True", "nul",
      #""\u-000""#, #""\u+000""#, #""\u 000""#, #""\u000""#, #""\u00g0""#, #""\u0x41""#, #""\u00_0""#, #""\uＡＡＡＡ""#,
      #""\U0041""#, #""\ud800""#, #""\ud800\u0041""#, #""\ud800\u-c00""#, #""\udc00""#, "[+1]", #"{"a":1e}"#,
    ])
  func invalidJSONIsRefused(_ text: String) {
    #expect(throws: JSONSyntaxError.self) { try value(text) }
  }

  /// Pending values read back unchanged, including numbers that no column accepts.
  @Test func storedValuesReadBackUnchanged() throws {
    let values: [StorageValue] = [
      .null, .integer(.min), .real(-0.0), .real(.infinity), .real(-.infinity), .real(1e300), .text("\0\u{1F}\"é"),
      .blob(Data([0, 255])), .beyondNumbers,
    ]
    #expect(try StoredJSON.values(StoredJSON.text(values)) == values)
    let row: [String: StorageValue] = ["a": .beyondNumbers, "b": .blob(Data())]
    #expect(try StoredJSON.row(StoredJSON.text(row)) == row)
  }

  @Test func fileCursorsAreReadOnlyInTheirWrittenForm() {
    #expect(FileCursor("5:1:ff")?.text == "5:1:ff")
    for text in ["+5:1:ff", "5:+1:ff", "05:1:ff", "5:1:+ff", "5:1:FF", "5:1:0ff", "-0:1:ff", "5:1:-1"] {
      #expect(FileCursor(text) == nil, "\(text)")
    }
  }
}
