import Foundation

/// The offsets of a time zone from UTC, between its transitions. SQL and Swift calculate days with the same offsets, so
/// that both get the same days.
///
/// Transitions are those from 1900 to 2100. Before and after, the first and the last offset hold.
struct ZoneOffsets: Sendable {
  /// The seconds since 1970 at which the offset becomes another, ascending.
  let transitions: [Int64]
  /// The offsets before the first transition, and from each transition on, in seconds.
  let offsets: [Int64]

  /// 1900-01-01 and 2100-01-01, in seconds since 1970.
  private static let span: Range<Int64> = -2_208_988_800..<4_102_444_800
  /// The distance of the instants whose offsets are compared. Two transitions within that time that cancel each other
  /// are found if Foundation reports the first.
  private static let step: Int64 = 10 * 86_400

  /// Guards the zones that were looked at, which takes some milliseconds for each.
  private static let known = Lock<[String: ZoneOffsets]>([:])

  static func of(_ zone: TimeZone) -> ZoneOffsets {
    let identifier = zone.identifier
    if let known = known.withLock({ $0[identifier] }) { return known }
    let offsets = ZoneOffsets(zone)
    known.withLock { $0[identifier] = offsets }
    return offsets
  }

  /// Nil for a name that no zone has.
  static func named(_ identifier: String) -> ZoneOffsets? {
    if let known = known.withLock({ $0[identifier] }) { return known }
    return TimeZone(identifier: identifier).map(of)
  }

  private init(_ zone: TimeZone) {
    func date(_ second: Int64) -> Date { Date(timeIntervalSince1970: Double(second)) }
    func offset(_ second: Int64) -> Int64 { Int64(zone.secondsFromGMT(for: date(second))) }
    var transitions: [Int64] = []
    var offsets = [offset(Self.span.lowerBound)]

    /// Finds the transition between two instants with different offsets.
    func search(from start: Int64, _ startOffset: Int64, to end: Int64, _ endOffset: Int64) {
      var (low, high) = (start, end)
      while high - low > 1 {
        let middle = (low + high) / 2
        if offset(middle) == startOffset { low = middle } else { high = middle }
      }
      transitions.append(high)
      offsets.append(offset(high))
      if offset(high) != endOffset { search(from: high, offset(high), to: end, endOffset) }
    }

    var (last, lastOffset) = (Self.span.lowerBound, offsets[0])
    var announced = zone.nextDaylightSavingTimeTransition(after: date(last))
    while last < Self.span.upperBound {
      var next = min(last + Self.step, Self.span.upperBound)
      if let transition = announced {
        let second = Int64(transition.timeIntervalSince1970.rounded(.up))
        if second <= next {
          next = max(second, last + 1)
          announced = zone.nextDaylightSavingTimeTransition(after: date(next))
        }
      }
      let nextOffset = offset(next)
      if nextOffset != lastOffset { search(from: last, lastOffset, to: next, nextOffset) }
      (last, lastOffset) = (next, nextOffset)
    }
    self.transitions = transitions
    self.offsets = offsets
  }
}

// MARK: - Days

extension ZoneOffsets {
  /// Stored numbers whose magnitude is not less are no instants that have days.
  static let limit: Int64 = 1_000_000_000_000_000
  /// Added to days where numbers are divided, so that nothing that is divided is negative. Greater than the days in ``limit`` seconds.
  static let bias: Int64 = 12_000_000_000

  /// The stored day at an instant; nil for a value that is no number, or is too great.
  func day(of stored: StorageValue, as form: InstantForm) -> Int64? {
    let units: Int64
    switch stored {
    case .integer(let integer) where integer > -Self.limit && integer < Self.limit: units = integer
    case .real(let real) where real > -Double(Self.limit) && real < Double(Self.limit):
      units = Int64(real.rounded(.down))
    default: return nil
    }
    return (units + addend(offset(at: units, form), form)) / (86_400 * form.unitsPerSecond) - Self.bias
  }

  /// The addend that turns a stored number into one whose quotient by a day's length is the day, plus ``bias``.
  func addend(_ offset: Int64, _ form: InstantForm) -> Int64 {
    (form.epoch + offset + Self.bias * 86_400) * form.unitsPerSecond
  }

  private func offset(at units: Int64, _ form: InstantForm) -> Int64 {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if units < form.stored(transitions[middle]) { high = middle } else { low = middle + 1 }
    }
    return offsets[low]
  }

  /// The instants of a day in seconds since 1970, ascending: mostly one span; none for a day that was skipped; two where a clock was set
  /// back after midnight, so that the day before came again.
  func spans(of day: Int64) -> [Range<Int64>] {
    let start = day * 86_400
    var spans: [Range<Int64>] = []
    for (index, offset) in offsets.enumerated() {
      let low = index == 0 ? Int64.min : transitions[index - 1]
      let high = index == transitions.count ? Int64.max : transitions[index]
      let (first, end) = (max(low, start - offset), min(high, start + 86_400 - offset))
      guard first < end else { continue }
      if let last = spans.last, last.upperBound == first {
        spans[spans.count - 1] = last.lowerBound..<end
      } else {
        spans.append(first..<end)
      }
    }
    return spans
  }

  /// The instants of some days in seconds since 1970, ascending: mostly one span.
  func spans(of days: Range<Int64>) -> [Range<Int64>] {
    let begins = days.lowerBound <= -Self.bias
    // Days that were skipped have no instants.
    guard let last = days.reversed().lazy.compactMap({ self.spans(of: $0).last }).first,
      let first = begins ? Self.beginning..<last.upperBound : days.lazy.compactMap({ self.spans(of: $0).first }).first
    else { return [] }
    // Where a clock was set back after midnight, the days before and after are between them.
    let others = (begins ? [] : spans(of: days.lowerBound - 1)) + spans(of: days.upperBound)
    return others.reduce([first.lowerBound..<last.upperBound]) { spans, other in spans.flatMap { $0.without(other) } }
  }

  /// Before all instants that have days.
  static let beginning = -bias * 86_400
}

extension Range<Int64> {
  fileprivate func without(_ other: Range<Int64>) -> [Range<Int64>] {
    guard overlaps(other) else { return [self] }
    return [lowerBound..<Swift.max(lowerBound, other.lowerBound), Swift.min(upperBound, other.upperBound)..<upperBound]
      .filter { !$0.isEmpty }
  }
}
