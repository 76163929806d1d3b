/// The step from one snapshot of a long list to the next: the fewest removed and inserted positions that fit the loaded
/// rows.
///
/// Rows that are loaded in both snapshots are matched by identity, and keep their cells if they keep their order. Of
/// other rows only the number is known. If their number between two loaded rows changed, the difference is inserted or
/// removed next to the later loaded row.
public struct LongChange: Hashable, Sendable {
  /// The positions of removed rows before the change, in order.
  public let removed: [Range<Int>]
  /// The positions of inserted rows after the change, in order.
  public let inserted: [Range<Int>]
  /// The positions after the change, in order, that existed before and show other content: another row, a changed row
  /// or a row that is loaded now.
  public let updated: [Range<Int>]

  /// Whether no position changed.
  public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && updated.isEmpty }

  /// The position after the change of the row at a position before it. For a removed row, the position of the next row
  /// that stays. O(ranges).
  public func position(after position: Int) -> Int {
    var result = position
    for range in removed where range.lowerBound < position {
      result -= min(range.upperBound, position) - range.lowerBound
    }
    for range in inserted where range.lowerBound <= result { result += range.count }
    return result
  }

  /// Compares two snapshots. O(k log k) in the number k of loaded rows, independent of the number of all rows.
  public init<Element>(from old: LongSnapshot<Element>, to new: LongSnapshot<Element>) {
    let kept = Self.kept(old.content.pieces, new.content.pieces)
    var (removed, inserted, updated) = ([Range<Int>](), [Range<Int>](), [Range<Int>]())
    var (oldPieces, newPieces) = (old.content.pieces[...], new.content.pieces[...])
    var (oldEnd, newEnd) = (0, 0)
    // A virtual common row at the end of both lists closes the last interval.
    let end = (from: old.positions.count, to: new.positions.count, isUpdated: false)
    for row in kept + [end] {
      let (oldCount, newCount) = (row.from - oldEnd, row.to - newEnd)
      let common = min(oldCount, newCount)
      if oldCount > common { removed.append(oldEnd + common..<row.from) }
      if newCount > common { inserted.append(newEnd + common..<row.to) }
      // The loaded rows at the common positions may have been replaced.
      if common > 0 {
        let ranges =
          Self.loaded(&oldPieces, in: oldEnd..<oldEnd + common).map { $0.shifted(by: newEnd - oldEnd) }
          + Self.loaded(&newPieces, in: newEnd..<newEnd + common)
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { updated.append(joining: range) }
      }
      if row.isUpdated { updated.append(joining: row.to..<row.to + 1) }
      (oldEnd, newEnd) = (row.from + 1, row.to + 1)
    }
    (self.removed, self.inserted, self.updated) = (removed, inserted, updated)
  }

  /// The positions of rows that are loaded in both snapshots and keep their order.
  private static func kept<Element>(
    _ old: [LongContent<Element>.Piece], _ new: [LongContent<Element>.Piece]
  ) -> [(from: Int, to: Int, isUpdated: Bool)] {
    var known: [RowIdentity: (position: Int, version: UInt64)] = [:]
    for piece in old {
      piece.forEachRow { position, cursor in known[cursor.identityKey] = (position, cursor.version) }
    }
    var pairs: [(from: Int, to: Int, isUpdated: Bool)] = []
    for piece in new {
      piece.forEachRow { position, cursor in
        if let row = known[cursor.identityKey] {
          pairs.append((row.position, position, row.version != cursor.version))
        }
      }
    }
    let stays = MovePlanner.heaviestIncreasing(
      pairs.map { RowMatching.Block(oldPosition: $0.from, newPosition: $0.to, count: 1) })
    return zip(pairs, stays).compactMap { $1 ? $0 : nil }
  }

  /// The ranges of a snapshot's loaded rows within an interval. O(pieces) for all intervals of the snapshot together.
  ///
  /// - Parameter pieces: Drops the pieces before the interval, since later intervals begin behind it.
  private static func loaded<Element>(
    _ pieces: inout ArraySlice<LongContent<Element>.Piece>, in interval: Range<Int>
  ) -> [Range<Int>] {
    pieces = pieces.drop { $0.range.upperBound <= interval.lowerBound }
    return pieces.prefix { $0.start < interval.upperBound }.map { $0.range.clamped(to: interval) }
  }
}

extension LongContent.Piece {
  fileprivate func forEachRow(_ body: (Int, RowStamps.Cursor) -> Void) {
    var cursor = stamps.cursor(at: 0)
    while cursor.position < stamps.count {
      body(start + cursor.position, cursor)
      cursor.advance()
    }
  }
}

extension [Range<Int>] {
  /// Adds a range that begins no earlier than the last one. Ranges that touch are joined.
  fileprivate mutating func append(joining range: Range<Int>) {
    if let last, range.lowerBound <= last.upperBound {
      self[count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
    } else {
      append(range)
    }
  }
}
