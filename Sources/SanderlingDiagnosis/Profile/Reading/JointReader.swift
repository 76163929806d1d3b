import SanderlingSQLite

/// Reads the dependence between a table's columns, and the order of their values on disk.
struct JointReader {
  /// A column during the read.
  struct Column {
    /// The position in the profile's list.
    var index: Int
    var dictionary: ColumnDictionary
    /// The first place of each of its ranges.
    var starts: [Int64]
    var ranges: [ProfiledRange]
    /// The places that statements name, which are never merged with others.
    var cuts: Set<Int64>
    /// Whether its ranges are counted jointly with those of other columns.
    var isJoint: Bool
  }

  /// The order of a column's values on disk.
  struct Order {
    var order = ProfiledColumn.Order.scattered
    var window: Int64 = 1
  }

  static let mostRows: Int64 = 300_000
  private static let mostCells = 2500
  private static let finestBlocks = 32

  let table: TableSchema
  let rows: Int64
  let columns: [Column]
  let connection: SQLiteConnection

  private(set) var orders: [Order] = []
  private(set) var joint = ProfiledJoint()
  /// The number of sampled rows; nil if all rows were read.
  private(set) var sampledRows: Int64?

  /// - Throws: `DiagnosisError`, and `.stopped` when the connection's budget ends.
  init(_ table: TableSchema, rows: Int64, columns: [Column], on connection: SQLiteConnection) throws {
    (self.table, self.rows, self.columns, self.connection) = (table, rows, columns, connection)
    guard rows > 0, !columns.isEmpty else { return }
    var tracks = columns.map { OrderTrack(distinct: $0.dictionary.distinct) }
    let counts = try read(&tracks)
    orders = zip(columns, tracks).map { $1.order(of: $0, rows: rows) }
    join(counts)
  }

  // MARK: Rows

  /// Counts the rows of each block and combination of ranges, as bytes with 255 for NULL.
  private mutating func read(_ tracks: inout [OrderTrack]) throws -> [[UInt8]: Int64] {
    let step = table.isWithoutRowID ? 1 : max(1, rows / Self.mostRows)
    let places = columns.map {
      "(SELECT place - 1 FROM \($0.dictionary.name) d WHERE d.value = \($0.dictionary.key.column.sql(of: "t")))"
    }
    let sample = step > 1 ? " WHERE (rowid / 256) % \(step) = 0" : ""
    let statement = try connection.prepare(
      "SELECT \(places.joined(separator: ", ")) FROM \(table.name.quotedIdentifier) t NOT INDEXED\(sample)")
    var counts: [[UInt8]: Int64] = [:]
    var number: Int64 = 0
    var key = [UInt8](repeating: 0, count: columns.count + 1)
    while try statement.step() {
      let position = min(rows - 1, number * step)
      key[0] = UInt8(position * Int64(Self.finestBlocks) / rows)
      for index in columns.indices {
        if statement.type(at: index) == SQLITE_NULL {
          key[index + 1] = 255
          continue
        }
        let place = statement.integer(at: index)
        tracks[index].note(place, at: position)
        key[index + 1] = UInt8(min(254, columns[index].starts.place(of: place)))
      }
      counts[key, default: 0] += 1
      number += 1
    }
    if step > 1 { sampledRows = number }
    guard step > 1, number > 0 else { return counts }
    let factor = Double(rows) / Double(number)
    return counts.mapValues { max(1, Int64(clamping: (Double($0) * factor).rounded())) }
  }

  // MARK: Cells

  /// Chooses the finest groups of ranges with sufficiently few combinations.
  private mutating func join(_ counts: [[UInt8]: Int64]) {
    // For values with an order on disk, the row's position determines everything except NULLs.
    let chosen = columns.indices.filter { index in
      columns[index].isJoint && columns[index].ranges.count + 1 > 1
        && (orders[index].order == .scattered || columns[index].dictionary.rows < rows)
    }
    guard !chosen.isEmpty else { return }
    for level in 0..<5 {
      let blocks = level == 0 ? Self.finestBlocks : level < 4 ? 8 : 1
      let groups = chosen.map { orders[$0].order == .scattered ? columns[$0].groups(level) : [0] }
      var cells: [[Int]: Int64] = [:]
      for (key, count) in counts {
        var cell = [Int(key[0]) * blocks / Self.finestBlocks]
        for (place, index) in chosen.enumerated() {
          let range = key[index + 1]
          cell.append(range == 255 ? -1 : (groups[place].lastIndex { $0 <= Int(range) } ?? 0))
        }
        cells[cell, default: 0] += count
        if cells.count > Self.mostCells, level < 4 { break }
      }
      if cells.count > Self.mostCells, level < 4 { continue }
      joint.blocks = blocks
      joint.columns = chosen.map { columns[$0].index }
      joint.groups = groups
      write(cells)
      return
    }
  }

  private mutating func write(_ cells: [[Int]: Int64]) {
    let sorted = cells.sorted { $0.value == $1.value ? $0.key.lexicographicallyPrecedes($1.key) : $0.value > $1.value }
    let kept = sorted.prefix(Self.mostCells).sorted { $0.key.lexicographicallyPrecedes($1.key) }
    joint.cells = kept.map { cell, count in
      "\(cell[0]): \(cell.dropFirst().map(String.init).joined(separator: ","))= \(count)"
    }
    var others: [[Int]: Int64] = [:]
    for (cell, count) in sorted.dropFirst(Self.mostCells) {
      for (column, group) in cell.dropFirst().enumerated() { others[[cell[0], column, group], default: 0] += count }
    }
    joint.others = others.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
      "\($0[0]): \($0[1]),\($0[2])= \($1)"
    }
  }
}

extension JointReader.Column {
  /// Returns the first ranges of the groups. Lower levels are finer.
  fileprivate func groups(_ level: Int) -> [Int] {
    if level < 2 { return Array(ranges.indices) }
    let total = max(1, ranges.reduce(0) { $0 + $1.rows })
    var firsts: [Int] = []
    var (inGroup, mustEnd) = (Int64(0), true)
    for (index, range) in ranges.enumerated() {
      let isNamed = cuts.contains(starts[index])
      let isFrequent = level == 2 && range.distinct == 1 && range.rows * 20 >= total
      let isFull = level == 2 && inGroup * 4 >= total
      if mustEnd || isNamed || isFrequent || isFull {
        firsts.append(index)
        inGroup = 0
      }
      inGroup += range.rows
      mustEnd = isFrequent
    }
    return firsts
  }
}

/// Tracks the values of a column along the rows.
private struct OrderTrack {
  let distinct: Int64
  var last: Int64?
  var (pairs, rises, equals) = (Int64(0), Int64(0), Int64(0))
  var (count, sumX, sumY, sumXX, sumYY, sumXY) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

  init(distinct: Int64) { self.distinct = distinct }

  mutating func note(_ place: Int64, at position: Int64) {
    if let last {
      pairs += 1
      if place == last { equals += 1 } else if place > last { rises += 1 }
    }
    last = place
    let (x, y) = (Double(position), Double(place))
    count += 1
    sumX += x
    sumY += y
    sumXX += x * x
    sumYY += y * y
    sumXY += x * y
  }

  func order(of column: JointReader.Column, rows: Int64) -> JointReader.Order {
    guard distinct > 1, pairs > 1 else { return JointReader.Order() }
    let (rising, falling) = (Double(rises + equals) / Double(pairs), Double(pairs - rises) / Double(pairs))
    if rising >= 0.9995 { return JointReader.Order(order: .ascending) }
    if falling >= 0.9995 { return JointReader.Order(order: .descending) }
    let spread = (count * sumXX - sumX * sumX) * (count * sumYY - sumY * sumY)
    let correlation = spread > 0 ? (count * sumXY - sumX * sumY) / spread.squareRoot() : 0
    // The residual of a straight line with noise.
    let noise = (1 - min(1, correlation * correlation)).squareRoot()
    if abs(correlation) >= 0.98, distinct * 20 > rows {
      return JointReader.Order(
        order: correlation > 0 ? .ascending : .descending, window: max(2, Int64(clamping: noise * Double(rows))))
    }
    let expected = column.ranges.reduce(0.0) {
      let share = Double($1.rows) / Double(max(1, column.dictionary.rows))
      return $0 + share * share / Double(max(1, $1.distinct))
    }
    let equal = Double(equals) / Double(pairs)
    return JointReader.Order(order: equal > 0.5 && equal > 3 * expected ? .runs : .scattered)
  }
}

extension [Int64] {
  /// Returns the position of the last element of the sorted list that is not above a place. O(log n).
  func place(of place: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return Swift.max(0, low - 1)
  }
}
