/// Fills one table, row after row.
struct TableGenerator {
  private let profile: ProfiledTable
  private let connection: SQLiteConnection
  private var columns: [ColumnGenerator]
  private let joint: JointTable?
  private let seed: UInt64
  /// The positions of the written columns, and for JSON columns those of the paths in them.
  private let written: [(index: Int, paths: [Int])]
  /// The columns of keys that must be unique.
  private let keys: [Int]
  /// One column of each key, whose value is changed first: the last column without an order.
  private let variedFirst: [Int]
  private let nulls: [Permutation]
  /// The groups of the current row, by column; -1 is NULL.
  private var groups: [Int?]
  private var (block, blockStart): (Int, Int64) = (0, 0)
  private var blockOrder: Permutation?

  private static let mostAttempts = 400
  private static let rowsPerTransaction: Int64 = 50_000

  init(
    _ profile: ProfiledTable, domains: [ProfiledDomain], schema: TableSchema?, seed: UInt64,
    on connection: SQLiteConnection
  ) throws {
    self.profile = profile
    self.connection = connection
    self.seed = Scramble.bits(seed, Scramble.number(of: profile.name))
    joint = profile.joint.columns.isEmpty ? nil : try? JointTable(profile.joint)
    let (seed, jointColumns) = (self.seed, profile.joint.columns)
    columns = profile.columns.enumerated().map { index, column in
      let groups = jointColumns.firstIndex(of: index).map { profile.joint.groups[$0] }
      return ColumnGenerator(
        column, domain: column.domain.flatMap { domains.indices.contains($0) ? domains[$0] : nil }, groups: groups,
        seed: Scramble.bits(seed, UInt64(index)))
    }
    nulls = profile.columns.indices.map {
      Permutation(count: profile.rows, seed: Scramble.bits(seed, UInt64($0) + 1000))
    }
    groups = profile.columns.map { _ in nil }
    written = profile.columns.indices.filter { profile.columns[$0].path == nil }.map { index in
      (
        index,
        profile.columns.indices.filter {
          profile.columns[$0].path != nil && profile.columns[$0].name == profile.columns[index].name
        }
      )
    }
    let unique =
      (schema?.indexes ?? []).filter(\.isUnique).map { $0.keys.compactMap(\.column) } + [schema?.primaryKey ?? []]
    let places = unique.map { names in
      let keys = Set(names.map(\.asciiLowercased))
      return profile.columns.indices.filter { keys.contains(profile.columns[$0].name.asciiLowercased) }
    }
    // A column with a different value in each row is unique already.
    let varied = places.map { key in
      key.filter { index in
        let column = profile.columns[index]
        return column.distinct != profile.rows - column.nulls || !column.places.isEmpty
      }
    }
    keys = Set(varied.joined()).sorted()
    variedFirst = Set(
      varied.compactMap { key in key.last { profile.columns[$0].order == .scattered } ?? key.last }
    ).sorted()
  }

  /// Fills the table, and returns the number of written rows. The other rows could not be made distinct from earlier
  /// ones.
  mutating func fill() throws -> Int64 {
    let names = written.map { profile.columns[$0.index].name.quotedIdentifier }
    guard !names.isEmpty, profile.rows > 0 else { return 0 }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let statement = try connection.prepare(
      "INSERT OR IGNORE INTO \(profile.name.quotedIdentifier) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    )
    var count: Int64 = 0
    try connection.run("BEGIN")
    for row in 0..<profile.rows {
      if try write(row, statement) { count += 1 }
      if (row + 1) % Self.rowsPerTransaction == 0 {
        try connection.run("COMMIT")
        try connection.run("BEGIN")
      }
    }
    try connection.run("COMMIT")
    return count
  }

  private mutating func write(_ row: Int64, _ statement: SQLiteStatement) throws -> Bool {
    drawGroups(row)
    var values = columns.indices.map { index -> BoundValue in
      isNull(index, row) ? .null : columns[index].next(group: groups[index], row: row)
    }
    for attempt in 0...(keys.isEmpty ? 0 : Self.mostAttempts) {
      if attempt > 0 {
        for index in attempt < Self.mostAttempts * 3 / 4 ? variedFirst : keys where values[index] != .null {
          values[index] = columns[index].another(group: groups[index], row: row, attempt: attempt)
        }
      }
      try statement.bind(
        written.map { values[$0.index] == .null || $0.paths.isEmpty ? values[$0.index] : json($0, values) })
      while try statement.step() {}
      statement.reset()
      if connection.changedRows > 0 { return true }
    }
    return false
  }

  private func isNull(_ index: Int, _ row: Int64) -> Bool {
    if let group = groups[index] { return group == -1 }
    let nulls = profile.columns[index].nulls
    return nulls > 0 && self.nulls[index](row) < nulls
  }

  /// Returns a JSON object with the members that statements read, of the same length as in the original.
  private func json(_ column: (index: Int, paths: [Int]), _ values: [BoundValue]) -> BoundValue {
    var parts: [String] = []
    for index in column.paths {
      let name = (profile.columns[index].path ?? "").dropFirst(2)
      switch values[index] {
      case .null: continue
      case .text(let text): parts.append("\"\(name)\":\"\(text)\"")
      case let value: parts.append("\"\(name)\":\(value.sqlText)")
      }
    }
    guard case .text(let text) = values[column.index] else { return .text("{\(parts.joined(separator: ","))}") }
    let length = parts.reduce(2) { $0 + $1.utf8.count + 1 }
    if text.utf8.count > length + 10 {
      let filler = text.dropFirst(text.hasPrefix("{\"k\":\"") ? 6 : 0).prefix(text.utf8.count - length - 8)
      parts.append("\"k\":\"\(filler.filter { $0.isLetter || $0 == " " })\"")
    }
    return .text("{\(parts.joined(separator: ","))}")
  }

  // MARK: Cells

  private mutating func drawGroups(_ row: Int64) {
    guard let joint, joint.rows > 0 else { return }
    let position =
      joint.rows == profile.rows ? row : Int64(clamping: Double(row) * Double(joint.rows) / Double(profile.rows))
    while block + 1 < joint.blocks.count, position >= blockStart + joint.blocks[block].rows {
      blockStart += joint.blocks[block].rows
      block += 1
      blockOrder = nil
    }
    let current = joint.blocks[block]
    let order = blockOrder ?? Permutation(count: current.rows, seed: Scramble.bits(seed, UInt64(block) + 500))
    blockOrder = order
    let slot = order(position - blockStart)
    if slot < current.cellRows {
      let cell = current.cells[min(current.ends.place(of: slot, after: 0), current.cells.count - 1)]
      for (place, index) in profile.joint.columns.enumerated() { groups[index] = cell[place] }
      return
    }
    let other = slot - current.cellRows
    for (place, index) in profile.joint.columns.enumerated() {
      let (numbers, ends) = current.others[place]
      guard let last = ends.last else { continue }
      let mixed = Permutation(count: last, seed: Scramble.bits(seed, UInt64(block * 64 + place) + 900))(other)
      groups[index] = numbers[min(ends.place(of: mixed, after: 0), numbers.count - 1)]
    }
  }
}
