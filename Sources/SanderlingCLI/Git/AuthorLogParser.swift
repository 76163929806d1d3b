import Foundation

/// Reads the hashes and authors of commits from `git log`, without a comparison of files.
struct AuthorLogParser {
  struct Entry: Hashable, Sendable {
    let hash: Data
    let authorName: String
  }

  private var pending: [UInt8] = []

  /// Returns the command that lists all commits reachable from `head`, newest first.
  static func command(from head: String) -> [String] {
    ["log", "-z", "--format=tformat:%H%x00%aN", "--encoding=UTF-8", "--no-color", "--no-notes", head, "--"]
  }

  /// Parses bytes, and calls a function with each complete commit.
  mutating func consume(_ bytes: UnsafeRawBufferPointer, entry: (Entry) throws -> Void) throws {
    pending.append(contentsOf: bytes)
    let consumed = try pending.withUnsafeBytes { buffer in
      var reader = FieldReader(buffer)
      var end = 0
      while let hash = reader.field(), let name = reader.field() {
        guard let hash = Data(hexadecimal: hash) else { throw GitError.unexpectedOutput(command: "log") }
        try entry(Entry(hash: hash, authorName: String(decoding: name, as: UTF8.self)))
        end = reader.position
      }
      return end
    }
    pending.removeFirst(consumed)
  }

  /// Checks that the output ended after a complete commit.
  func finish() throws {
    guard pending.isEmpty else { throw GitError.unexpectedOutput(command: "log") }
  }
}
