extension [Comparison] {
  /// The remaining share of the warm time, summed over the sets of values; nil if the times are too short to compare.
  var shareOfTimeLeft: Double? {
    let before = reduce(0) { $0 + $1.before.warmTime.inSeconds }
    let after = reduce(0) { $0 + $1.after.warmTime.inSeconds }
    guard before > 0, after >= 0, (after / before).isFinite else { return nil }
    return after / before
  }

  /// The pages read with all sets of values.
  var pages: PageChange {
    PageChange(
      before: reduce(0) { $0.addingClamped($1.before.pages) }, after: reduce(0) { $0.addingClamped($1.after.pages) })
  }
}

/// The pages that statements read before a fix and with it.
struct PageChange: Sendable {
  let before: Int64
  let after: Int64

  /// Whether at least a fifth of the page reads are saved.
  var areFewer: Bool { after < before - before / 5 }
}
