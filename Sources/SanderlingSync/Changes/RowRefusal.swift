import Sanderling

/// Why a row of a file can't be read, or isn't to be used. It goes to the quarantine, or ends a run that is to stop there.
package struct RowRefusal: Error, Hashable, Sendable {
  /// The number of the line where the mistake is, from 1.
  package var line: Int
  /// The number of the line where its row begins; nil where that is the same.
  package var start: Int?
  /// Where in the line the mistake is, in bytes from 1; nil for a row that can be read.
  package var place: Int?
  package var reason: String
  /// The error that ends a run which is to stop; nil where it is that of a row that doesn't fit.
  package var error: SyncError?

  init(line: Int, place: Int? = 1, reason: String) {
    self.line = line
    self.place = place
    self.reason = reason
  }

  /// The refusal of a row that can't be read, with the name of its file.
  func of(_ file: String) -> RowRefusal {
    var refusal = self
    refusal.error = SyncError.malformedSource(path: file, line: line, column: place ?? 1, reason: reason)
    return refusal
  }

  /// Why it is in the quarantine. The line is given beside it.
  var quarantined: String {
    if let start, start != line { return "\(reason), in line \(line) at byte \(place ?? 1)" }
    guard let place, place > 1 else { return reason }
    return "\(reason), at byte \(place)"
  }
}

/// One row of a file, or why there is none.
enum ReadRow<Content> {
  case row(Content, line: Int)
  case refused(RowRefusal)
}
