/// Answers the callers' inquiries at the snapshots of turns.
extension LongQuery {
  /// Answers all inquiries that can be answered.
  ///
  /// - Returns: Whether the visible rows changed.
  func answerInquiries(_ blocks: inout RowBlocks<Element>, _ reader: LongReader<Element>) throws -> Bool {
    var hasNews = false
    for inquiry in form.inquiries.all {
      do {
        guard let answer = try answer(inquiry, &blocks, reader, &hasNews) else { continue }
        form.inquiries.end(inquiry, with: .success(answer))
      } catch let error as LongListError {
        form.inquiries.end(inquiry, with: .failure(error))
      }
    }
    return hasNews
  }

  /// Answers an inquiry.
  ///
  /// - Returns: The answer; nil while more rows have to be counted, and if the inquiry has already failed.
  private func answer(
    _ inquiry: LongInquiry<Element>, _ blocks: inout RowBlocks<Element>, _ reader: LongReader<Element>,
    _ hasNews: inout Bool
  ) throws -> LongInquiry<Element>.Answer? {
    let isCounted = blocks.firstGap == nil
    switch inquiry.question {
    case .count: return isCounted ? .init(number: blocks.count, count: blocks.count) : nil
    case .position(let key):
      guard let place = try reader.stamp(key) else { throw LongListError.isGone }
      return try blocks.position(of: place, reader).map { .init(number: $0, count: isCounted ? blocks.count : nil) }
    case .rows(let range):
      guard isCounted else { return nil }
      let count = blocks.count
      guard range.lowerBound >= 0, range.upperBound <= count else {
        throw LongListError.outOfBounds(range, count: count)
      }
      let rows = try blocks.rows(at: range, reader)
      if let unreadable = rows.unreadableRows.first {
        // Only this inquiry fails.
        form.inquiries.end(inquiry, with: .failure(unreadable.error))
        return nil
      }
      return .init(number: range.lowerBound, rows: rows.readable.elements, count: count)
    case .show(let place, let visible):
      let (start, anchor) = try blocks.show(place, count: visible, reader)
      let extent = blocks.count
      let first = max(0, min(start, extent - visible))
      let shown = first..<min(extent, first + visible)
      let around = max(0, first - visible)..<shown.upperBound + visible
      form.take(LongDemand(visible: shown, wanted: around, anchor: anchor, jump: inquiry.id))
      hasNews = true
      return .init(number: start, jump: (inquiry.id, first), count: isCounted ? extent : nil)
    }
  }
}
