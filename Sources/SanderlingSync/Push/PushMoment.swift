/// When changes are sent.
enum PushMoment: Sendable {
  /// At the beginning of a run. A new row of which the server may have taken the insertion, by a number that is
  /// settled, waits for the pull: sent again, it would be in conflict with itself, and then nobody would know what was
  /// sent first.
  case beforePull
  /// While a pull is under way. Those wait that the push before it found; rows that were deleted here since their
  /// insertion was sent wait, too.
  case besidePull(PullLook)
  /// When all was pulled that the server had when the last conflict was met.
  case afterPull

  var isBeforePull: Bool { if case .beforePull = self { true } else { false } }
  var isBesidePull: Bool { if case .besidePull = self { true } else { false } }
  var isAfterPull: Bool { if case .afterPull = self { true } else { false } }
}
