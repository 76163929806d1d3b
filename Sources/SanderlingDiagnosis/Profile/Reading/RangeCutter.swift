/// Cuts the values of a column into ranges. Frequent values and those that statements name have their own ranges; the
/// others are cut by rows.
struct RangeCutter {
  /// The places that a statement names: single values, and beginnings of ranges.
  struct Cuts {
    var single: Set<Int64> = []
    var bounds: Set<Int64> = []

    /// The places at which a range must begin.
    var starts: Set<Int64> { bounds.union(single).union(single.map { $0 + 1 }) }
  }

  private static let frequentValues = 24
  private static let evenRanges: Int64 = 8

  let dictionary: ColumnDictionary
  let cuts: Cuts

  /// Returns the ranges, and the places at which they begin.
  func ranges() throws -> (ranges: [ProfiledRange], starts: [Int64]) {
    let (distinct, rows) = (dictionary.distinct, dictionary.rows)
    guard distinct > 0 else { return ([], []) }
    var starts = cuts.starts.filter { (0..<distinct).contains($0) }
    starts.insert(0)
    guard distinct < rows else {
      for part in 1..<Self.evenRanges { starts.insert(distinct * part / Self.evenRanges) }
      let sorted = starts.sorted()
      let ranges = zip(sorted, sorted.dropFirst() + [distinct]).map {
        ProfiledRange(rows: $1 - $0, distinct: $1 - $0, frequencies: [[$1 - $0, $1 - $0]])
      }
      return (ranges, sorted)
    }
    let least = distinct <= 32 ? 1 : max(3, max(2 * rows / distinct, rows / 1000))
    let frequent = try dictionary.connection.rows(
      "SELECT place - 1 FROM \(dictionary.name) WHERE n >= \(least) ORDER BY n DESC, place LIMIT \(distinct <= 32 ? 32 : Self.frequentValues)"
    ).compactMap { $0[0].integer }
    starts.formUnion(frequent)
    starts.formUnion(frequent.map { $0 + 1 }.filter { $0 < distinct })
    return try cut(starts)
  }

  /// Reads the values once, and also cuts after a sufficient number of rows. O(values).
  private func cut(_ starts: Set<Int64>) throws -> (ranges: [ProfiledRange], starts: [Int64]) {
    let share = max(1, dictionary.rows / Self.evenRanges)
    var (ranges, cuts): ([ProfiledRange], [Int64]) = ([], [])
    var classes: [Int: (values: Int64, rows: Int64)] = [:]
    var (place, passed) = (Int64(0), Int64(0))
    func close() {
      guard !classes.isEmpty, let index = ranges.indices.last else { return }
      let sorted = classes.sorted { $0.key < $1.key }.map(\.value)
      ranges[index] = ProfiledRange(
        rows: sorted.reduce(0) { $0 + $1.rows }, distinct: sorted.reduce(0) { $0 + $1.values },
        frequencies: sorted.map { [$0.values, $0.rows] })
    }
    let statement = try dictionary.connection.prepare("SELECT n FROM \(dictionary.name) ORDER BY place")
    while try statement.step() {
      let count = statement.integer(at: 0)
      if ranges.isEmpty || starts.contains(place)
        || passed / share != (passed - 1) / share && passed > 0 && isWide(place, cuts)
      {
        close()
        classes = [:]
        ranges.append(ProfiledRange(rows: 0, distinct: 0, frequencies: []))
        cuts.append(place)
      }
      // Counts up to eight are exact. Greater counts are grouped by powers of two.
      let size = count <= 8 ? Int(count) : 8 + count.bitWidth - count.leadingZeroBitCount
      classes[size, default: (0, 0)].values += 1
      classes[size, default: (0, 0)].rows += count
      passed += count
      place += 1
    }
    close()
    return (ranges, cuts)
  }

  private func isWide(_ place: Int64, _ cuts: [Int64]) -> Bool {
    place - (cuts.last ?? 0) >= max(1, dictionary.distinct / 64)
  }
}
