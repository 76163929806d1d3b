import Foundation

/// Reads the output of ``CommitLogFormat`` in pieces of any size.
///
/// With `-z` a commit is its marker, its fields and its changes, each ended by NUL. A change is `added TAB deleted TAB path`,
/// or for a renamed file `added TAB deleted TAB`, the old and the new path; a line feed stands before a commit's first.
/// Texts hold no NUL, so nothing in a path or a subject can be mistaken for a boundary.
struct CommitLogParser {
  /// Bytes that were read and not understood yet: less than one commit's fields or one change.
  private var pending: [UInt8] = []

  /// Adds bytes, and hands each commit and each change over as soon as they are complete.
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

  /// Checks that the output ended where a commit or change does.
  func finish() throws {
    guard pending.isEmpty else { throw Self.unexpectedOutput }
  }

  private static let unexpectedOutput = GitError.unexpectedOutput(command: "log")

  /// - Returns: Whether there was a complete commit or change; otherwise the reader stays in place.
  private static func parseNext(
    _ reader: inout FieldReader, into receiver: inout some CommitLogReceiver
  ) throws -> Bool {
    let start = reader.position
    if reader.peek == UInt8(ascii: "\n") { reader.skip() }
    guard let first = reader.peek else {
      // The text after the line feed has not arrived. At the very end of the output there is none.
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

  /// A number of lines; nil for a binary file's `-`.
  private static func count(_ digits: Slice<UnsafeRawBufferPointer>) throws -> Int64? {
    if digits.elementsEqual([UInt8(ascii: "-")]) { return nil }
    guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { throw unexpectedOutput }
    return number
  }
}

/// A receiver of the results of ``CommitLogParser``.
protocol CommitLogReceiver {
  mutating func receive(_ commit: LoggedCommit)

  /// Takes a change of the last commit.
  ///
  /// - Returns: Whether there was a commit before.
  mutating func receive(_ change: ChangeBytes) -> Bool
}

/// A change whose path is still in the parser's memory: valid until the receiver returns.
struct ChangeBytes {
  let path: UnsafeRawBufferPointer
  let linesAdded: Int64?
  let linesDeleted: Int64?
}
