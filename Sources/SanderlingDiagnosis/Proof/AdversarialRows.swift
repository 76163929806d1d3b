/// Fills the tables of a statement with a few rows of adversarial values that satisfy the constraints.
struct AdversarialRows {
  let connection: SQLiteConnection
  let copy: AdversarialCopy
  let tables: [TableSchema]
  let values: AdversarialValues
  /// Columns that are equal in the statement, as `table.column`: they need common values.
  private let partners: [String: [String]]
  /// The number of rows that a LIMIT keeps: only worlds with more rows show its effect.
  private let limit: Int
  /// Rows of the app's database that satisfy the statement's own conditions.
  private let fitting: [String: [[BoundValue]]]
  /// The values of IN lists by the compared columns, as `table.column`. A result may need a row for each of these
  /// values.
  private let listed: [String: [BoundValue]]
  /// Rows and values for which the statement is known to return rows.
  private let reaching: ReachingRows
  /// Numbers in the statement, which counts are compared with.
  private let counts: [Int]
  private var inserted: [String: [BoundValue]] = [:]
  /// The tables that had a row in some world.
  private(set) var filled: Set<String> = []

  /// The greatest LIMIT for which tables get more rows. Filling a table for a greater LIMIT would take too long.
  static let greatestLimit = 120
  private static let greatestCount: Int64 = 40

  init(
    _ tables: [TableSchema], of statement: MovableStatement, _ sample: BindingSample?, values: AdversarialValues,
    copy: AdversarialCopy, limit: Int
  ) throws {
    let shape = statement.shape
    counts = values.named.compactMap(\.integer).filter { (3...Self.greatestCount).contains($0) }.map { Int($0) + 2 }
    fitting = Self.fittingRows(of: statement, sample, tables, copy)
    (self.tables, self.values, self.copy) = (tables, values, copy)
    connection = try copy.connection()
    listed = Self.listedValues(of: statement, sample, on: connection)
    self.limit = limit
    var partners: [String: [String]] = [:]
    func add(_ one: String, _ other: String) {
      partners[one, default: []].append(other)
      partners[other, default: []].append(one)
    }
    for (one, other) in statement.expressions.compactMap({ Self.compared($0, shape) }) {
      let columns = [one, other].compactMap { side -> String? in
        guard case .column(let source, let name)? = shape.resolved.meaning(of: side.unwrapped),
          let table = shape.resolved.sources[source]?.table?.name
        else { return nil }
        return Self.key(table, name)
      }
      if columns.count == 2 { add(columns[0], columns[1]) }
    }
    for table in tables {
      for key in table.foreignKeys {
        guard let parent = tables.first(where: { $0.name.asciiLowercased == key.parentTable.asciiLowercased }) else {
          continue
        }
        let columns = key.parentColumns.isEmpty ? parent.primaryKey : key.parentColumns
        for (own, other) in zip(key.columns, columns) { add(Self.key(table.name, own), Self.key(parent.name, other)) }
      }
    }
    self.partners = partners
    reaching = ReachingRows(statement, sample, tables, partners: partners, copy)
  }

  /// Returns the values of the columns compared with a parameter, in the inserted rows.
  func values(comparedWith parameter: Int) -> [BoundValue] {
    (reaching.columns[parameter] ?? []).sorted().flatMap { inserted[$0] ?? [] }
  }

  /// Returns the sides of `=`, and those of IN with a subquery.
  private static func compared(
    _ expression: SQLExpression, _ shape: QueryShape
  ) -> (SQLExpression, SQLExpression)? {
    switch expression.kind {
    case .binary(.equal, let one, let other): return (one, other)
    case .membership(let value, .subquery(let select), _):
      guard let core = select.cores.first, let result = shape.resolved.core(core.id)?.results.first?.expression else {
        return nil
      }
      return (value, result)
    default: return nil
    }
  }

  /// Returns the values of `column IN (1, 2, 5)`.
  private static func listedValues(
    of statement: MovableStatement, _ sample: BindingSample?, on connection: SQLiteConnection
  ) -> [String: [BoundValue]] {
    var listed: [String: [BoundValue]] = [:]
    for case .membership(let value, .list(let items), false) in statement.expressions.map(\.kind) {
      guard case .column(let source, let name)? = statement.shape.resolved.meaning(of: value.unwrapped),
        let table = statement.shape.resolved.sources[source]?.table?.name, items.allSatisfy(statement.isConstant)
      else { continue }
      listed[key(table, name), default: []] += items.compactMap { item in
        let sql = "SELECT \(statement.text[item.range])"
        guard let prepared = try? connection.prepare(sql, authority: .reading) else { return nil }
        try? prepared.bind(statement.values(sample?.values ?? [:], for: sql))
        return (try? prepared.step()) == true ? prepared.row.first : nil
      }
    }
    return listed.filter { !$0.value.isEmpty }
  }

  private static func fittingRows(
    of statement: MovableStatement, _ sample: BindingSample?, _ tables: [TableSchema], _ copy: AdversarialCopy
  ) -> [String: [[BoundValue]]] {
    var fitting: [String: [[BoundValue]]] = [:]
    for source in statement.shape.selects.flatMap(\.sources) {
      guard let table = tables.first(where: { $0.name == source.table }), table.kind == .ordinary else { continue }
      let conditions = source.terms.filter { !$0.isPushedDown && $0.readsConstantsOnly }.map {
        statement.text[$0.range]
      }
      guard !conditions.isEmpty else { continue }
      let sql = conditions.joined(separator: " AND ")
      let values = statement.values(sample?.values ?? [:], for: "SELECT \(sql)")
      fitting[table.name, default: []] += copy.storedRows(of: table, as: source.name, where: conditions, values)
    }
    return fitting
  }

  private static func key(_ table: String, _ column: String) -> String { ReachingRows.key(table, column) }

  /// Inserts rows into all tables, which were empty. Rows that violate a constraint are left out.
  ///
  /// Every second world contains rows for which the statement is known to return rows, and more values that satisfy its
  /// conditions.
  mutating func fill(world: Int, using random: inout SeededRandom) throws {
    inserted = [:]
    let isReaching = world % 2 == 1
    let world = world / 2
    let isLong = limit > 0 && limit <= Self.greatestLimit && world % 8 == 7
    let count = world % 4 == 2 ? counts.randomElement(using: &random) : nil
    let order = tables.enumerated().shuffled(using: &random)
    if isReaching { for (_, table) in order { try fillReaching(table, using: &random) } }
    for (place, table) in order {
      let usual = [1, 2, 3, 4, 6, 9].randomElement(using: &random) ?? 3
      let most = isLong && place == 0 ? limit + 12 : random.chance(60) ? count ?? usual : usual
      let isEmpty = !isReaching && random.chance(world % 4 == 3 ? 35 : 4)
      try fill(
        table, rows: isEmpty ? 0 : most, world, isCounted: count != nil, isReaching: isReaching, using: &random)
    }
  }

  /// Inserts most of the rows that the statement is known to reach.
  private mutating func fillReaching(_ table: TableSchema, using random: inout SeededRandom) throws {
    guard let rows = reaching.rows[table.name], let statement = try insertion(into: table) else { return }
    for row in rows where random.chance(75) { try insert(row, into: table, by: statement) }
  }

  private func insertion(into table: TableSchema) throws -> SQLiteStatement? {
    let columns = table.writableColumns
    if columns.isEmpty { return nil }
    let names = columns.map { $0.name.quotedIdentifier }.joined(separator: ", ")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    return try connection.prepare(
      "INSERT OR IGNORE INTO \(table.name.quotedIdentifier) (\(names)) VALUES (\(places))")
  }

  private mutating func insert(_ row: [BoundValue], into table: TableSchema, by statement: SQLiteStatement) throws {
    statement.reset()
    try statement.bind(row)
    do {
      while try statement.step() {}
    } catch DiagnosisError.statement {
      // A strict table refuses the type, an index expression can't read the value, or a trigger raises an error.
      return
    }
    guard connection.changedRows > 0 else { return }
    filled.insert(table.name)
    for (column, value) in zip(table.writableColumns, row) where value != .null {
      inserted[Self.key(table.name, column.name), default: []].append(value)
    }
  }

  private mutating func fill(
    _ table: TableSchema, rows: Int, _ world: Int, isCounted: Bool, isReaching: Bool, using random: inout SeededRandom
  ) throws {
    guard rows > 0, let statement = try insertion(into: table) else { return }
    let columns = table.writableColumns
    let fitting = fitting[table.name] ?? []
    let stored = fitting + (fitting.isEmpty || random.chance(50) ? copy.storedRows(of: table) : [])
    // The app's own rows satisfy the schema's conditions on several columns together.
    let isTame = world % 2 == 0 && !stored.isEmpty
    // One parent may have most of the children.
    let isGathered = isCounted || random.chance(40)
    let pools = columns.indices.map { place in
      values.pool(
        for: columns[place], isStrict: table.isStrict, stored: stored.map { $0[place] }, isExact: world % 6 == 5,
        using: &random)
    }
    // NULL in a NOT NULL column would lose the row.
    let shareOfNull = columns.map { column in
      column.isNotNull ? 0 : [0, 0, 15, 40, 100].randomElement(using: &random) ?? 0
    }
    let numbers = Array(1...(rows * 2)).shuffled(using: &random)
    for row in 0..<rows {
      let model = isTame ? stored.randomElement(using: &random) : nil
      let change = random.chance(40) ? 0 : 30
      let made = columns.indices.map { place -> BoundValue in
        let (column, key) = (columns[place], Self.key(table.name, columns[place].name))
        if isReaching, random.chance(60), let wanted = reaching.wanted[key]?.randomElement(using: &random) {
          return wanted
        }
        let partner = partners[key]?.compactMap { key in
          isGathered ? inserted[key]?.first : inserted[key]?.randomElement(using: &random)
        }.first
        if let partner, random.chance(isCounted ? 95 : 70) { return partner }
        if let listed = listed[key], random.chance(isCounted ? 90 : isReaching ? 60 : 15) {
          return listed[row % listed.count]
        }
        if column.name == table.rowIDAlias {
          if let model, random.chance(50) { return model[place] }
          return random.chance(90) ? .integer(Int64(numbers[row])) : pools[place].randomElement(using: &random) ?? .null
        }
        // Searched words are rarely a whole text, and the first rows of the app's table rarely contain them.
        if table.isFullText, random.chance(70) { return values.words(using: &random) }
        if let model, !random.chance(change) { return model[place] }
        if random.chance(shareOfNull[place]) { return .null }
        return pools[place].randomElement(using: &random) ?? .null
      }
      try insert(made, into: table, by: statement)
    }
  }
}

extension TermShape {
  /// Whether the compared value is known without reading a row.
  fileprivate var readsConstantsOnly: Bool {
    switch value {
    case .none, .literal, .parameter, .expression, .list: true
    case .sources, .outer, .subquery, .sameSource: false
    }
  }
}
