/// Rows and values for which a statement returns rows.
///
/// These are the app's rows that satisfy the statement's own joins and conditions, the rows that these refer to, and
/// values that satisfy single conditions. Generated rows alone rarely pass three joins and four conditions.
struct ReachingRows {
  /// The rows by table, with the writable columns.
  private(set) var rows: [String: [[BoundValue]]] = [:]
  /// Values that satisfy a condition on a column, as `table.column`.
  private(set) var wanted: [String: [BoundValue]] = [:]
  /// The columns that are compared with a parameter, as `table.column`, by its number.
  private(set) var columns: [Int: Set<String>] = [:]

  private static let rowsOfCore = 6
  private static let rowsOfReference = 2
  private static let mostRows = 16
  /// The time for all queries of the app's rows.
  private static let time = Duration.milliseconds(60)

  /// - Parameter partners: Columns that are equal in the statement, as `table.column`.
  init(
    _ statement: MovableStatement, _ sample: BindingSample?, _ tables: [TableSchema], partners: [String: [String]],
    _ copy: AdversarialCopy
  ) {
    let values = sample?.values ?? [:]
    noteTerms(of: statement, values, copy)
    copy.limited(to: Self.time) {
      find(statement.shape, with: statement.with, tables, copy) { statement.values(values, for: $0) }
      follow(partners, tables, copy)
    }
  }

  static func key(_ table: String, _ column: String) -> String { "\(table).\(column)".asciiLowercased }

  // MARK: Rows

  /// Finds rows that satisfy the joins and conditions of each core that depends on no other core.
  private mutating func find(
    _ shape: QueryShape, with: String, _ tables: [TableSchema], _ copy: AdversarialCopy,
    _ values: (String) -> [Int: BoundValue]
  ) {
    let text = shape.text
    for core in shape.resolved.cores where core.outerSources.isEmpty {
      guard let syntax = core.syntax, let from = syntax.from, syntax.rows.isEmpty else { continue }
      let sources = core.sources.compactMap { id -> (name: String, table: TableSchema)? in
        guard let source = shape.resolved.sources[id], source.kind == .table,
          let table = tables.first(where: { $0.name == source.table?.name }), table.kind == .ordinary
        else { return nil }
        return (source.name, table)
      }
      if sources.isEmpty { continue }
      let columns = sources.flatMap { source in
        source.table.writableColumns.map { "\(source.name.quotedIdentifier).\($0.name.quotedIdentifier)" }
      }
      let condition = syntax.condition.map { " WHERE \(text[$0.range])" } ?? ""
      let sql =
        "\(with)SELECT \(columns.joined(separator: ", ")) FROM \(text[from.range])\(condition) LIMIT \(Self.rowsOfCore)"
      for row in copy.appRows(sql, values(sql)) {
        var place = 0
        for source in sources {
          let end = place + source.table.writableColumns.count
          add(Array(row[place..<end]), to: source.table)
          place = end
        }
      }
    }
    for view in shape.views.sorted(by: { $0.key < $1.key }) { find(view.value, with: "", tables, copy) { _ in [:] } }
  }

  /// Adds the rows that the found rows refer to by columns that are equal in the statement, and the rows that refer to
  /// the found rows.
  private mutating func follow(_ partners: [String: [String]], _ tables: [TableSchema], _ copy: AdversarialCopy) {
    var queue = tables.flatMap { table in (rows[table.name] ?? []).map { (table, $0) } }
    var place = 0
    while place < queue.count, place < Self.mostRows * 4 {
      let (table, row) = queue[place]
      place += 1
      for (column, value) in zip(table.writableColumns, row) where value != .null {
        for partner in partners[Self.key(table.name, column.name)] ?? [] {
          for other in tables where other.kind == .ordinary {
            guard let own = other.columns.first(where: { Self.key(other.name, $0.name) == partner }) else { continue }
            let names = other.writableColumns.map { $0.name.quotedIdentifier }.joined(separator: ", ")
            let sql =
              "SELECT \(names) FROM \(other.name.quotedIdentifier) WHERE \(own.name.quotedIdentifier) = ?1 "
              + "LIMIT \(Self.rowsOfReference)"
            for found in copy.appRows(sql, [1: value]) where add(found, to: other) { queue.append((other, found)) }
          }
        }
      }
    }
  }

  /// Adds a row, and returns whether the row is new.
  @discardableResult
  private mutating func add(_ row: [BoundValue], to table: TableSchema) -> Bool {
    // The row is empty because an outer join found none.
    if row.allSatisfy({ $0 == .null }) { return false }
    let known = rows[table.name] ?? []
    guard known.count < Self.mostRows, !known.contains(row) else { return false }
    rows[table.name] = known + [row]
    return true
  }

  // MARK: Values

  private mutating func noteTerms(
    of statement: MovableStatement, _ values: [Int: BoundValue], _ copy: AdversarialCopy
  ) {
    for source in statement.shape.selectsWithViews.flatMap(\.sources) {
      guard let table = source.table else { continue }
      for term in source.terms + source.alternatives.flatMap({ $0.branches.flatMap(\.self) }) {
        guard term.columns.count == 1, let column = term.columns.first else { continue }
        let key = Self.key(table, column)
        for number in term.parameters { columns[number, default: []].insert(key) }
        guard term.key?.isColumn == true else { continue }
        let value: BoundValue?
        switch term.value {
        case .literal(_, let sql): value = copy.constant(sql)
        default: value = term.parameters.first.flatMap { values[$0] }
        }
        if let wanted = Self.wanted(by: term.kind, value) { self.wanted[key, default: []].append(wanted) }
      }
    }
  }

  /// Returns a value that satisfies a condition; nil if none is known.
  private static func wanted(by kind: TermShape.Kind, _ value: BoundValue?) -> BoundValue? {
    switch (kind, value) {
    case (.truth(let isNegated), _): .integer(isNegated ? 0 : 1)
    case (.isNull, _): .null
    case (_, nil), (_, .null): nil
    case (.equality, let value?): value
    case (.range(let isLower, _), .integer(let number)?): .integer(isLower ? number &+ 1 : number &- 1)
    case (.range(let isLower, _), .real(let number)?): .real(isLower ? number + 1 : number - 1)
    case (.range(let isLower, _), .text(let text)?): .text(isLower ? text + "x" : String(text.dropLast()))
    case (.pattern, .text(let pattern)?):
      .text(pattern.filter { !"%*".contains($0) }.map { "_?".contains($0) ? "a" : String($0) }.joined())
    default: nil
    }
  }
}
