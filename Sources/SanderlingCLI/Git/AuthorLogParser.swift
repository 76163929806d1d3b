import Foundation

/// Reads the commits and their authors: `git log` without the comparison of files.
struct AuthorLogParser {
  struct Entry: Hashable, Sendable {
    let hash: Data
    let authorName: String
  }

  private var pending: [UInt8] = []

  /// The command that lists all commits that lead to `head`, newest first.
  static func command(from head: String) -> [String] {
    ["log", "-z", "--format=tformat:%H%x00%aN", "--encoding=UTF-8", "--no-color", "--no-notes", head, "--"]
  }

  /// Adds bytes, and calls back with each commit that is complete.
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

  /// Checks that the output ended where a commit does.
  func finish() throws {
    guard pending.isEmpty else { throw GitError.unexpectedOutput(command: "log") }
  }
}
