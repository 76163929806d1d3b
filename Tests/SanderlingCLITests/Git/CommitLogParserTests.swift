import Foundation
import Testing

@testable import SanderlingCLI

struct CommitLogParserTests {
  static let hash = String(repeating: "0a", count: 20)
  static let parent = String(repeating: "b1", count: 20)

  /// The output of git for one commit, up to the commit's file changes.
  static func header(parents: String = parent, author: String = "Ada", subject: String = "Change it") -> String {
    "\u{1}\(hash)\0\(parents)\01000000060\01000000000 +0530\0\(author)\0\(subject)\0"
  }

  @Test func readsFields() throws {
    let (commits, changes) = try Collector.parse(Self.header())
    #expect(
      commits == [
        LoggedCommit(
          hash: Data(repeating: 0x0A, count: 20), isMerge: false, committedAt: 1_000_000_060, authoredDay: "2001-09-09",
          authorName: "Ada", subject: "Change it")
      ])
    #expect(changes == [])
  }

  @Test func readsChanges() throws {
    let output = Self.header() + "\n3\t0\ta.txt\0" + "-\t-\timage.png\0" + Self.header()
    let (commits, changes) = try Collector.parse(output)
    #expect(commits.count == 2)
    #expect(
      changes == [
        LoggedChange(path: "a.txt", linesAdded: 3, linesDeleted: 0),
        LoggedChange(path: "image.png", linesAdded: nil, linesDeleted: nil),
      ])
  }

  @Test func readsTheNewPathOfRenamedFile() throws {
    let (_, changes) = try Collector.parse(Self.header() + "\n1\t2\t\0old.txt\0new.txt\0" + "4\t5\tother.txt\0")
    #expect(
      changes == [
        LoggedChange(path: "new.txt", linesAdded: 1, linesDeleted: 2),
        LoggedChange(path: "other.txt", linesAdded: 4, linesDeleted: 5),
      ])
  }

  @Test(arguments: ["a\tb\tc", "a\nb", "\u{1}a", "1\t2\tb", "-", " ", "a\"b", "ü.txt"])
  func takesPathsAsTheyAre(path: String) throws {
    let output = Self.header() + "\n1\t2\t\(path)\0" + "3\t4\t\0x\0\(path)\0" + Self.header()
    let (commits, changes) = try Collector.parse(output)
    #expect(commits.count == 2)
    #expect(changes.map(\.path) == [path, path])
  }

  @Test func repairsInvalidUTF8() throws {
    let output = Data((Self.header() + "\n1\t2\ta").utf8) + [0xFF] + Data("b\0".utf8)
    #expect(try Collector.parse(output).changes.map(\.path) == ["a\u{FFFD}b"])
  }

  @Test func tellsMergesByTheirParents() throws {
    let output =
      Self.header(parents: "") + Self.header() + Self.header(parents: "\(Self.parent) \(Self.parent)")
    #expect(try Collector.parse(output).commits.map(\.isMerge) == [false, false, true])
  }

  @Test func acceptsEmptyTexts() throws {
    let (commits, changes) = try Collector.parse(Self.header(author: "", subject: "") + "\n0\t0\ta\0")
    #expect(commits.map(\.authorName) == [""])
    #expect(commits.map(\.subject) == [""])
    #expect(changes.count == 1)
  }

  @Test func readsLongHashes() throws {
    let output = Self.header().replacingOccurrences(of: Self.hash, with: String(repeating: "c2", count: 32))
    #expect(try Collector.parse(output).commits.map(\.hash) == [Data(repeating: 0xC2, count: 32)])
  }

  @Test func piecesOfAnySizeGiveTheSame() throws {
    let first = Self.header(subject: "first") + "\n1\t2\ta\n\0" + "3\t4\t\0b\0c\0"
    let output = Data((first + Self.header() + Self.header() + "\n-\t-\td\0").utf8)
    let whole = try Collector.parse(output)
    for size in 1...output.count {
      let pieces = try Collector.parse(output, pieceSize: size)
      #expect(pieces.commits == whole.commits)
      #expect(pieces.changes == whole.changes)
    }
  }

  @Test(
    arguments: [
      "fatal: something\0", "\n1\t2\ta\0", "\u{1}no hash\0\0" + "1\01 +0000\0a\0b\0", header() + "\n1 2 a\0",
      header() + "\nx\t2\ta\0", header() + "\n1\t-x\ta\0", header() + "\n1\t2\ta", "\u{1}\(hash)\0",
    ])
  func refusesMalformedOutput(output: String) {
    #expect(throws: GitError.unexpectedOutput(command: "log")) { try Collector.parse(output) }
  }
}

/// Collects the commits and changes that a parser reads.
private struct Collector: CommitLogReceiver {
  var commits: [LoggedCommit] = []
  var changes: [LoggedChange] = []

  mutating func receive(_ commit: LoggedCommit) {
    commits.append(commit)
  }

  mutating func receive(_ change: ChangeBytes) -> Bool {
    changes.append(
      LoggedChange(
        path: String(decoding: change.path, as: UTF8.self), linesAdded: change.linesAdded,
        linesDeleted: change.linesDeleted))
    return !commits.isEmpty
  }

  static func parse(_ output: String) throws -> (commits: [LoggedCommit], changes: [LoggedChange]) {
    try parse(Data(output.utf8))
  }

  static func parse(
    _ output: Data, pieceSize: Int = .max
  ) throws -> (commits: [LoggedCommit], changes: [LoggedChange]) {
    var parser = CommitLogParser()
    var collector = Collector()
    var rest = output
    while !rest.isEmpty {
      try rest.prefix(pieceSize).withUnsafeBytes { try parser.consume($0, into: &collector) }
      rest = rest.dropFirst(pieceSize)
    }
    try parser.finish()
    return (collector.commits, collector.changes)
  }
}
