import SanderlingSQL

/// The sets of values that columns share, because one column refers to another or a statement compares them.
struct ColumnDomains {
  /// One set: the values of its first column, followed by those that only other columns have.
  struct Domain {
    var members: [ColumnKey]
    /// The set's table; nil for a column that shares its values with no other, whose dictionary gives the places.
    var table: String?
    var profiled: ProfiledDomain
  }

  private(set) var domains: [Domain] = []
  private(set) var numbers: [ColumnKey: Int] = [:]
  private let dictionaries: [ColumnKey: ColumnDictionary]
  private let connection: SQLiteConnection

  init(
    _ dictionaries: [ColumnKey: ColumnDictionary], schema: DatabaseSchema, joins: [(ColumnKey, ColumnKey)],
    on connection: SQLiteConnection
  ) throws {
    (self.dictionaries, self.connection) = (dictionaries, connection)
    var parents: [ColumnKey: ColumnKey] = [:]
    func root(_ key: ColumnKey) -> ColumnKey {
      var key = key
      while let parent = parents[key] { key = parent }
      return key
    }
    func isUnique(_ key: ColumnKey) -> Bool { dictionaries[key].map { $0.distinct == $0.rows } ?? false }
    func unite(_ child: ColumnKey, _ parent: ColumnKey) {
      let (one, other) = (root(child), root(parent))
      if one != other { parents[one] = other }
    }
    for key in schema.tables.flatMap(\.foreignKeys) {
      guard let table = schema.table(key.table), let parent = schema.table(key.parentTable) else { continue }
      let names = key.parentColumns.isEmpty ? parent.primaryKey : key.parentColumns
      for (name, other) in zip(key.columns, names) {
        guard let column = table.column(name)?.name, let target = parent.column(other)?.name else { continue }
        let pair = (
          ColumnKey(table: table.name, column: ColumnID(name: column)),
          ColumnKey(table: parent.name, column: ColumnID(name: target))
        )
        if dictionaries[pair.0] != nil, dictionaries[pair.1] != nil { unite(pair.0, pair.1) }
      }
    }
    for (one, other) in joins {
      guard let first = dictionaries[one], let second = dictionaries[other], root(one) != root(other),
        Self.isSame(first.affinity, second.affinity)
      else { continue }
      let isParent =
        isUnique(root(other)) == isUnique(root(one)) ? second.distinct >= first.distinct : isUnique(root(other))
      if isParent { unite(one, other) } else { unite(other, one) }
    }
    let keys = dictionaries.keys.sorted {
      ($0.table, $0.column.name, $0.column.path ?? "") < ($1.table, $1.column.name, $1.column.path ?? "")
    }
    var members: [ColumnKey: [ColumnKey]] = [:]
    for key in keys where root(key) != key { members[root(key), default: []].append(key) }
    for key in keys where root(key) == key { try add([key] + (members[key] ?? [])) }
  }

  private static func isSame(_ one: Affinity, _ other: Affinity) -> Bool {
    func kind(_ affinity: Affinity) -> Int { affinity == .text ? 0 : affinity == .blob ? 1 : 2 }
    return kind(one) == kind(other)
  }

  private mutating func add(_ members: [ColumnKey]) throws {
    guard let first = dictionaries[members[0]] else { return }
    let shapes = ValueShapes(connection: connection)
    var parts = try shapes.parts(of: first.name, count: first.distinct)
    var table: String?
    if members.count > 1 {
      let name = "sanderling domain \(domains.count)".quotedIdentifier
      let type = first.affinity == .blob ? "" : first.affinity.rawValue
      try connection.run("CREATE TABLE \(name) (place INTEGER PRIMARY KEY, value \(type) UNIQUE)")
      try connection.run("INSERT OR IGNORE INTO \(name) SELECT place, value FROM \(first.name)")
      for member in members.dropFirst() {
        guard let dictionary = dictionaries[member] else { continue }
        // New keys follow the greatest one.
        try connection.run("INSERT OR IGNORE INTO \(name) (value) SELECT value FROM \(dictionary.name) ORDER BY place")
      }
      let orphans = try connection.value("SELECT count(*) FROM \(name) WHERE place > \(first.distinct)")?.integer ?? 0
      if orphans > 0, var last = parts.popLast() {
        // Their places follow all others.
        last.count += orphans
        parts.append(last)
      }
      table = name
    }
    for member in members { numbers[member] = domains.count }
    let count = parts.reduce(0) { $0 + $1.count }
    domains.append(
      Domain(members: members, table: table, profiled: ProfiledDomain(distinct: count, parts: parts)))
  }

  /// Returns the place of a value in the set of a column. If the set lacks the value, returns the number of smaller
  /// values.
  func place(of value: BoundValue, in key: ColumnKey) throws -> (place: Int64, isThere: Bool)? {
    guard let number = numbers[key], let first = dictionaries[domains[number].members[0]] else { return nil }
    if let table = domains[number].table,
      let place = try connection.value("SELECT place - 1 FROM \(table) WHERE value = ?", [value])?.integer
    {
      return (place, true)
    }
    if let place = try first.place(of: value) { return (place, true) }
    return (try first.places(below: value), false)
  }

  /// Returns the places of texts with a common beginning, in the set whose first column this is.
  func places(_ beginning: String, in key: ColumnKey, isGlob: Bool) throws -> Range<Int64>? {
    guard let number = numbers[key], let first = dictionaries[domains[number].members[0]] else { return nil }
    let pattern = beginning + (isGlob ? "*" : "%")
    let row = try connection.rows(
      "SELECT min(place) - 1, max(place) FROM \(first.name) WHERE value \(isGlob ? "GLOB" : "LIKE") ?", [.text(pattern)]
    )[0]
    guard let low = row[0].integer, let high = row[1].integer else { return nil }
    return low..<high
  }

  mutating func change(_ number: Int, _ change: (inout ProfiledDomain) -> Void) {
    change(&domains[number].profiled)
  }

  /// Returns pairs of a column's own places and those in its set. Places between them are interpolated.
  func places(of key: ColumnKey, at own: [Int64]) throws -> [[Int64]] {
    guard let number = numbers[key], let table = domains[number].table, let dictionary = dictionaries[key],
      dictionary.distinct > 0, key != domains[number].members[0]
    else { return [] }
    var places: [[Int64]] = []
    let last = dictionary.distinct - 1
    for place in Set(own + [0, last] + (1..<16).map { last * $0 / 16 }).sorted() where (0...last).contains(place) {
      let found = try connection.value(
        "SELECT place - 1 FROM \(table) WHERE value = (SELECT value FROM \(dictionary.name) WHERE place = ?)",
        [.integer(place + 1)])
      if let found = found?.integer { places.append([place, found]) }
    }
    return places
  }
}
