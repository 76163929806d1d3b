import Foundation
import Testing

@testable import SanderlingCLI

struct AuthorLogParserTests {
  private static let output =
    String(repeating: "0a", count: 20) + "\0Ada\0" + String(repeating: "b1", count: 20) + "\0Grace\nHopper\0"

  @Test func piecesOfAnySizeGiveTheSame() throws {
    for size in 1...Self.output.utf8.count {
      #expect(
        try parse(Self.output, pieceSize: size) == [
          AuthorLogParser.Entry(hash: Data(repeating: 0x0A, count: 20), authorName: "Ada"),
          AuthorLogParser.Entry(hash: Data(repeating: 0xB1, count: 20), authorName: "Grace\nHopper"),
        ])
    }
  }

  @Test(arguments: ["no hash\0Ada\0", String(repeating: "0a", count: 20) + "\0Ada"])
  func refusesMalformedOutput(output: String) {
    #expect(throws: GitError.unexpectedOutput(command: "log")) { try parse(output, pieceSize: 10) }
  }

  private func parse(_ output: String, pieceSize: Int) throws -> [AuthorLogParser.Entry] {
    var parser = AuthorLogParser()
    var entries: [AuthorLogParser.Entry] = []
    var rest = Data(output.utf8)
    while !rest.isEmpty {
      try rest.prefix(pieceSize).withUnsafeBytes { try parser.consume($0) { entries.append($0) } }
      rest = rest.dropFirst(pieceSize)
    }
    try parser.finish()
    return entries
  }
}
