import Sanderling

/// A live query of a round as data: the query, and how its rows are read.
struct LiveQuerySpec: Sendable {
  enum Form: Sendable {
    case rows
    case count
    /// The first row. For a query that aggregates all of its rows, this is the only row.
    case value
    /// The record with a key.
    case key([StorageValue])
    /// A SELECT written by hand that returns two values.
    case raw(String)
  }

  enum Reading: Sendable {
    /// Each row as its stored values.
    case stored
    /// Each row as a record or a projection.
    case typed(any FuzzOutput.Type)
    /// Each row as a record with associated records.
    case prefetched(PrefetchSpec)
  }

  var form: Form
  var reading: Reading
  var statement: SelectStatement
  var window: Int
  /// The sections of the rows, if they are shown in sections; nil for a query without sections.
  var sections: SectionSpec?

  var record: RecordType { statement.source.type }

  /// Whether two rows are the same row of the query. A group whose rows have different texts that are equal under a
  /// collation has any of these texts, which depends on the plan of the statement.
  func areSame(_ lhs: [StorageValue], _ rhs: [StorageValue]) -> Bool {
    guard lhs != rhs, statement.isGrouped, lhs.count == statement.columns.count, rhs.count == lhs.count else {
      return lhs == rhs
    }
    return lhs.indices.allSatisfy { statement.columns[$0].isEqual(lhs[$0], rhs[$0]) }
  }

  /// The query, reading stored rows.
  var query: Selection<Place, StoredRow> {
    let count = Int32(statement.columns.count)
    return Selection(statement: statement) { row in
      StoredRow(values: (0..<count).map { row.storageValue(at: $0) })
    } decodeAll: { rows in
      var result: [StoredRow] = []
      try rows.forEach { row in result.append(StoredRow(values: (0..<count).map { row.storageValue(at: $0) })) }
      return result
    }
  }

  /// The query, reading records or projections.
  func query<Output: FuzzOutput>(reading output: Output.Type) -> Selection<Output, Output> {
    Selection(statement: statement, decode: { try Output(_reading: $0) }, decodeAll: { try Output._readAll($0) })
  }

  /// Returns the stored values that the query for records or projections reads, with a mark for each unreadable row.
  func query<Output: FuzzOutput>(marking output: Output.Type) -> Selection<Place, StoredRow> {
    var statement = statement
    // Distinct rows are identified by their values only.
    let keys = statement.isDistinct ? [] : identity
    statement.columns = keys + statement.columns
    let decode: @Sendable (ResultRow) throws -> StoredRow = { [keyCount = Int32(keys.count)] row in
      let read: Output
      do {
        read = try Output(_reading: row.advanced(by: keyCount))
      } catch is ValueError {
        return StoredRow(values: .unreadable((0..<keyCount).map { row.storageValue(at: $0) }))
      }
      return StoredRow(values: try read.storedValues())
    }
    return Selection(statement: statement, decode: decode) { rows in
      var result: [StoredRow] = []
      try rows.forEach { result.append(try decode($0)) }
      return result
    }
  }

  /// The keys of a statement's rows.
  func readingKeys(of statement: SelectStatement) -> Selection<Place, StoredRow> {
    var spec = self
    spec.statement = statement
    spec.statement.columns = identity
    return spec.query
  }

  /// The terms that distinguish rows; empty if the query has only one row.
  var identity: [Term] {
    if statement.isDistinct { return statement.columns }
    if statement.isGrouped { return statement.groups }
    return record.type.table.key.map { record.type._terms[$0].term }
  }

  /// The query's orderings without those that have no effect.
  var significantOrderings: [Ordering] {
    statement.orderings.indices.filter { index in
      !statement.orderings[..<index].contains { $0.term == statement.orderings[index].term }
    }.map { statement.orderings[$0] }
  }

  /// The same query with the total order in which live results have its rows. The identifying terms follow the
  /// direction of the last significant ordering. This repeats the library's rule independently.
  var totallyOrdered: LiveQuerySpec {
    var result = self
    let isDescending = significantOrderings.last?.isDescending ?? false
    result.statement.orderings = significantOrderings + identity.map { Ordering(term: $0, isDescending: isDescending) }
    return result
  }

  /// The query of the rows that a count counts, without their other columns and their order, which a count need not
  /// read. Nil for other queries.
  var countedRows: LiveQuerySpec? {
    guard case .count = form, !statement.isGrouped, !statement.isDistinct, case .table = statement.source else {
      return nil
    }
    var result = self
    result.statement.columns = record.type.table.key.prefix(1).map { record.type._terms[$0].term }
    result.statement.orderings = []
    return result
  }

  /// Whether the query reads another database or temporary tables.
  var readsBeside: Bool {
    if case .raw(let sql) = form { HandwrittenQueries.beside.contains(sql) } else { false }
  }

  var description: String {
    let text: String
    switch form {
    case .raw(let sql): return "window \(window): \(sql)"
    case .key(let key): return "record of \(record.type) with the key \(key.map(\.literal).joined(separator: ", "))"
    case .count: text = "count of"
    case .value: text = "value of"
    case .rows: text = "window \(window):"
    }
    var sql = (try? SQLCompiler.compile(statement).description) ?? "invalid \(statement)"
    if let sections {
      let headers = (try? SQLCompiler.compile(headers(sections).statement).description) ?? "invalid \(sections)"
      sql += "\n      in sections of \(headers)"
    }
    switch reading {
    case .stored: return "\(text) \(sql)"
    case .typed(let output): return "\(text) \(sql)\n      read as \(output)"
    case .prefetched(let prefetch): return "\(text) \(sql)\n      with \(prefetch.description)"
    }
  }
}
