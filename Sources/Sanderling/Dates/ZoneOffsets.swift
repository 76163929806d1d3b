import Foundation

/// The offsets of a time zone from UTC, between its transitions. SQL and Swift calculate days with the same offsets, so
/// that both get the same days.
///
/// The transitions are those from 1900 to 2100. The first offset holds before them, and the last offset after them.
struct ZoneOffsets: Sendable {
  /// The seconds since 1970 at which the offset changes, ascending.
  let transitions: [Int64]
  /// The offset before the first transition, then the offset from each transition on, in seconds.
  let offsets: [Int64]

  /// 1900-01-01 and 2100-01-01, in seconds since 1970.
  private static let span: Range<Int64> = -2_208_988_800..<4_102_444_800
  /// The distance between the instants whose offsets are compared. Two transitions within this distance that cancel
  /// each other are found only if Foundation reports the first.
  private static let step: Int64 = 10 * 86_400

  /// Guards the known zones. They are cached, since reading a zone takes some milliseconds.
  private static let known = Lock<[String: ZoneOffsets]>([:])

  static func of(_ zone: TimeZone) -> ZoneOffsets {
    let identifier = zone.identifier
    if let known = known.withLock({ $0[identifier] }) { return known }
    let offsets = ZoneOffsets(zone)
    known.withLock { $0[identifier] = offsets }
    return offsets
  }

  /// The offsets of the zone with a name; nil if there is no such zone.
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
  /// The magnitude from which on a stored number has no day.
  static let limit: Int64 = 1_000_000_000_000_000
  /// An offset in days that keeps dividends positive, because SQL division rounds toward zero. It exceeds the number of
  /// days in ``limit`` seconds.
  static let bias: Int64 = 12_000_000_000

  /// The day of a stored instant, as days since 1970. Nil for a value that isn't a number, or exceeds ``limit``.
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

  /// The number to add to a stored number, so that its quotient by the length of a day is the day plus ``bias``.
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

  /// The instants of a day in seconds since 1970, ascending: usually one span.
  ///
  /// A skipped day has no span. A day has two spans if a clock was set back after midnight, so that the previous day
  /// came again.
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

  /// The instants of a range of days in seconds since 1970, ascending: usually one span.
  func spans(of days: Range<Int64>) -> [Range<Int64>] {
    let begins = days.lowerBound <= -Self.bias
    // Skipped days have no instants.
    guard let last = days.reversed().lazy.compactMap({ self.spans(of: $0).last }).first,
      let first = begins ? Self.beginning..<last.upperBound : days.lazy.compactMap({ self.spans(of: $0).first }).first
    else { return [] }
    // If a clock was set back after midnight, instants of the adjacent days lie inside the span.
    let others = (begins ? [] : spans(of: days.lowerBound - 1)) + spans(of: days.upperBound)
    return others.reduce([first.lowerBound..<last.upperBound]) { spans, other in spans.flatMap { $0.without(other) } }
  }

  /// A second before all instants that have a day.
  static let beginning = -bias * 86_400
}

extension Range<Int64> {
  fileprivate func without(_ other: Range<Int64>) -> [Range<Int64>] {
    guard overlaps(other) else { return [self] }
    return [lowerBound..<Swift.max(lowerBound, other.lowerBound), Swift.min(upperBound, other.upperBound)..<upperBound]
      .filter { !$0.isEmpty }
  }
}
