import Foundation
import Sanderling
import Testing

@testable import SanderlingCLI

struct CSVRowTests {
  private func line(
    _ values: StorageValue..., types: [String]? = nil, isForTerminal: Bool = false
  ) -> String {
    let types = types ?? values.map { _ in "TEXT" }
    return CSVRow(
      forms: types.map { ColumnForm(declaredType: $0, inStrictTable: false) }, isForTerminal: isForTerminal
    ).line(values[...])
  }

  @Test func valuesShowTheirTypes() {
    #expect(line(.null, .text(""), .text("a"), .null) == ",\"\",a,")
    #expect(line(.blob(Data([0, 255])), .text("X'00ff'"), types: ["BLOB", "TEXT"]) == "X'00ff',\"X'00ff'\"")
    #expect(line(.text("12"), .integer(12), .real(1.5), types: ["", "", "ANY"]) == "\"12\",12,1.5")
    #expect(line(.real(.infinity), .real(-.infinity), .real(-0.0), types: ["", "", ""]) == "9e999,-9e999,-0.0")
  }

  @Test func fieldsAreQuotedAsRFC4180Says() {
    #expect(
      line(.text("a,b"), .text("say \"x\""), .text("a\r\nb"), .text(" a"), .text("a "))
        == "\"a,b\",\"say \"\"x\"\"\",\"a\r\nb\",\" a\",\"a \"")
    // A quote with a combining mark is one character, and still a quote for a reader of bytes.
    #expect(line(.text("\"\u{301}"), .text(",\u{301}")) == "\"\"\"\u{301}\",\",\u{301}\"")
    #expect(CSVRow(forms: [], isForTerminal: false).line(names: ["id", "", "a,b"]) == "id,\"\",\"a,b\"")
  }

  /// Readers skip an empty line, so that a row would be lost.
  @Test func aRowOfOneNULLIsNoEmptyLine() {
    #expect(line(.null) == ",")
    #expect(line(.text("")) == "\"\"")
  }

  @Test func controlsAreEscapedOnATerminalOnly() {
    let text = "a\u{9B}2J\u{1B}[31m\tb\nc\u{202E}"
    #expect(line(.text(text)) == "\"\(text)\"")
    #expect(line(.text(text), isForTerminal: true) == "\"a\\u{9B}2J\\u{1B}[31m\tb\nc\\u{202E}\"")
    #expect(StorageValue.text(text).json(inColumnOfBlobs: false) == #""a\u009b2J\u001b[31m\tb\nc\u202e""#)
    #expect(StorageValue.text("é😀\u{E0001}").json(inColumnOfBlobs: false) == #""é😀\udb40\udc01""#)
  }
}
