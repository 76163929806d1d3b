import Sanderling

/// The encoding and the delimiter that the bytes of a file showed.
package final class FileFindings: Sendable {
  private struct Found {
    var encoding: FileEncoding?
    var delimiter: Character?
  }

  /// Guards the findings.
  private let found = Lock(Found())

  package init() {}

  /// nil for UTF-8, and where it was named.
  package var encoding: FileEncoding? { found.withLock { $0.encoding } }
  /// nil for a comma, and where it was named.
  package var delimiter: Character? { found.withLock { $0.delimiter } }

  func note(_ encoding: FileEncoding) { found.withLock { $0.encoding = encoding } }
  func note(_ delimiter: Character) { found.withLock { $0.delimiter = delimiter } }
}
