import Sanderling

/// The encoding and the delimiter that were found in the bytes of a file.
package final class FileFindings: Sendable {
  private struct Found {
    var encoding: FileEncoding?
    var delimiter: Character?
  }

  /// Guards the findings.
  private let found = Lock(Found())

  package init() {}

  /// The encoding that was found; nil for UTF-8, and if the encoding was named.
  package var encoding: FileEncoding? { found.withLock { $0.encoding } }
  /// The delimiter that was found; nil for a comma, and if the delimiter was named.
  package var delimiter: Character? { found.withLock { $0.delimiter } }

  func note(_ encoding: FileEncoding) { found.withLock { $0.encoding = encoding } }
  func note(_ delimiter: Character) { found.withLock { $0.delimiter = delimiter } }
}
