/// The moments of a push within a run.
enum PushMoment: Sendable {
  /// At the beginning of a run. If the server may already have inserted a new row by a settled number, the row waits
  /// for the pull. Sent again, it would conflict with itself, and the first sent values would be unknown.
  case beforePull
  /// During a pull. Entries that the push before it found in conflict wait. So do rows that were deleted locally after
  /// their insertion was sent.
  case besidePull(PollCounter)
  /// After the pull of everything that the server had at the last conflict.
  case afterPull

  var isBeforePull: Bool { if case .beforePull = self { true } else { false } }
  var isBesidePull: Bool { if case .besidePull = self { true } else { false } }
  var isAfterPull: Bool { if case .afterPull = self { true } else { false } }
}
