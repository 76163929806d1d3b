import Foundation

/// Reads the output of ``CommitLogFormat`` in pieces of any size.
///
/// With `-z`, a commit is its marker, its fields and its changes, each ended by NUL. A change is `added TAB deleted TAB
/// path`. For a renamed file it is `added TAB deleted TAB`, the old path and the new path. A line feed stands before
/// the first change of a commit. Texts contain no NUL, so no path or subject can be mistaken for a boundary.
struct CommitLogParser {
  /// Bytes that aren't parsed yet: an incomplete commit or change.
  private var pending: [UInt8] = []

  /// Parses bytes, and passes on each complete commit and change.
  ///
  /// - Throws: ``GitError/unexpectedOutput(command:)``.
  mutating func consume(_ bytes: UnsafeRawBufferPointer, into receiver: inout some CommitLogReceiver) throws {
    pending.append(contentsOf: bytes)
    let consumed = try pending.withUnsafeBytes { buffer in
      var reader = FieldReader(buffer)
      while try Self.parseNext(&reader, into: &receiver) {}
      return reader.position
    }
    pending.removeFirst(consumed)
  }

  /// Checks that the output ended after a complete commit or change.
  func finish() throws {
    guard pending.isEmpty else { throw Self.unexpectedOutput }
  }

  private static let unexpectedOutput = GitError.unexpectedOutput(command: "log")

  /// - Returns: Whether there was a complete commit or change. Otherwise the reader keeps its position.
  private static func parseNext(
    _ reader: inout FieldReader, into receiver: inout some CommitLogReceiver
  ) throws -> Bool {
    let start = reader.position
    if reader.peek == UInt8(ascii: "\n") { reader.skip() }
    guard let first = reader.peek else {
      // Nothing follows the line feed yet, or the output has ended.
      reader.position = start
      return false
    }
    let isComplete: Bool
    switch first {
    case CommitLogFormat.marker:
      isComplete = try parseCommit(&reader, into: &receiver)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      isComplete = try parseChange(&reader, into: &receiver)
    default:
      throw unexpectedOutput
    }
    if !isComplete { reader.position = start }
    return isComplete
  }

  private static func parseCommit(
    _ reader: inout FieldReader, into receiver: inout some CommitLogReceiver
  ) throws -> Bool {
    reader.skip()
    guard let hash = reader.field(), let parents = reader.field(), let committed = reader.field(),
      let authored = reader.field(), let author = reader.field(), let subject = reader.field()
    else { return false }
    guard let hash = Data(hexadecimal: hash) else { throw unexpectedOutput }
    receiver.receive(
      LoggedCommit(
        hash: hash, isMerge: parents.contains(UInt8(ascii: " ")), committedAt: GitDate.seconds(committed),
        authoredDay: GitDate(raw: authored).day, authorName: String(decoding: author, as: UTF8.self),
        subject: String(decoding: subject, as: UTF8.self)))
    return true
  }

  private static func parseChange(
    _ reader: inout FieldReader, into receiver: inout some CommitLogReceiver
  ) throws -> Bool {
    guard let line = reader.field() else { return false }
    guard let firstTab = line.firstIndex(of: UInt8(ascii: "\t")),
      let secondTab = line[(firstTab + 1)...].firstIndex(of: UInt8(ascii: "\t"))
    else { throw unexpectedOutput }
    var path = UnsafeRawBufferPointer(rebasing: line[(secondTab + 1)...])
    if path.isEmpty {
      guard reader.field() != nil, let newPath = reader.field() else { return false }
      path = newPath
    }
    let linesAdded = try count(line[..<firstTab])
    let linesDeleted = try count(line[(firstTab + 1)..<secondTab])
    guard receiver.receive(ChangeBytes(path: path, linesAdded: linesAdded, linesDeleted: linesDeleted)) else {
      throw unexpectedOutput
    }
    return true
  }

  /// Returns a number of lines; nil for the `-` of a binary file.
  private static func count(_ digits: Slice<UnsafeRawBufferPointer>) throws -> Int64? {
    if digits.elementsEqual([UInt8(ascii: "-")]) { return nil }
    guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { throw unexpectedOutput }
    return number
  }
}

/// Receives the commits and changes that ``CommitLogParser`` reads.
protocol CommitLogReceiver {
  mutating func receive(_ commit: LoggedCommit)

  /// Receives a change of the last commit.
  ///
  /// - Returns: Whether there is a last commit.
  mutating func receive(_ change: ChangeBytes) -> Bool
}

/// A change whose path is in the parser's memory. It is valid until the receiver returns.
struct ChangeBytes {
  let path: UnsafeRawBufferPointer
  let linesAdded: Int64?
  let linesDeleted: Int64?
}
