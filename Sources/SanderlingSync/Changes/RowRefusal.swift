import Sanderling

/// The reason why a row of a file can't be read or must not be used. The row goes to the quarantine, or ends a run that
/// stops at such rows.
package struct RowRefusal: Error, Hashable, Sendable {
  /// The number of the line where the mistake is, from 1.
  package var line: Int
  /// The number of the line where its row begins; nil if it is the same line.
  package var start: Int?
  /// The position of the mistake in the line, in bytes from 1; nil for a readable row.
  package var place: Int?
  package var reason: String
  /// The error that ends a strict run; nil to use the error of a row that doesn't fit.
  package var error: SyncError?

  init(line: Int, place: Int? = 1, reason: String) {
    self.line = line
    self.place = place
    self.reason = reason
  }

  /// The error for an unreadable row, with the name of its file.
  func of(_ file: String) -> RowRefusal {
    var refusal = self
    refusal.error = SyncError.malformedSource(path: file, line: line, column: place ?? 1, reason: reason)
    return refusal
  }

  /// The reason in the quarantine. The line is given beside it.
  var quarantined: String {
    if let start, start != line { return "\(reason), in line \(line) at byte \(place ?? 1)" }
    guard let place, place > 1 else { return reason }
    return "\(reason), at byte \(place)"
  }
}

/// One row of a file, or the reason why it can't be read.
enum ReadRow<Content> {
  case row(Content, line: Int)
  case refused(RowRefusal)
}
