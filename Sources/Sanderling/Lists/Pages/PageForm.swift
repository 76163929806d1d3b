import Foundation
import GRDB

/// The statements that read a query in pages, and the number that identifies the query in cursors.
///
/// A form is made once for a query and a page size.
final class PageForm: Sendable {
  enum Direction: Hashable {
    case forward, backward

    var opposite: Direction { self == .forward ? .backward : .forward }
  }

  /// The query, with its ordering values among the columns and an ordering that distinguishes all rows.
  let base: SelectStatement
  /// The columns of the ordering values.
  let sortColumns: [Int32]
  /// The indices, among the ordering values, of the record's primary key. Empty for groups and distinct values.
  let keyPositions: [Int]
  /// The number of the form. It is the same in each process.
  let number: UInt64

  var orderings: [Ordering] { base.orderings }
  var table: RecordTable { base.source.type.table }
  /// Whether the query's rows are rows of the record's table, identified by its key.
  var hasRecords: Bool { !base.isGrouped && !base.isDistinct }

  /// The properties that determine the text of a statement.
  private struct Key: Hashable {
    let direction: Direction
    /// Which of the edge's values are NULL; empty if there is no edge.
    let nulls: [Bool]
    let isInclusive: Bool
    let count: Int
  }

  /// A statement, and the arguments that are filled with values of the edge.
  private struct Template {
    let statement: SQLStatement
    let holes: [(argument: Int, value: Int)]
  }

  /// Guards the templates. Two threads may make the same template at the same time.
  private let templates = Lock<[Key: [Template]]>([:])

  /// Makes the form of a query.
  ///
  /// - Throws: ``PageError/notPageable(reason:)``, and ``StoreError/invalidQuery(_:)`` for a query that makes no sense
  ///   in SQL.
  init(_ statement: SelectStatement) throws {
    // An error of the query itself is more specific than an obstacle to its pages.
    _ = try SQLCompiler.compile(statement)
    if let reason = statement.pageObstacle { throw PageError.notPageable(reason: reason) }
    var base = statement
    base.orderings = statement.placeOrderings
    let orderings = base.orderings
    let hasRecords = !statement.isGrouped && !statement.isDistinct
    sortColumns = orderings.map { Int32(base.column(of: $0.term)) }
    keyPositions =
      hasRecords ? statement.identity.compactMap { key in orderings.firstIndex { $0.term == key } } : []
    self.base = base
    number = try base.pageFormNumber
  }

  /// The statements of a page. They run in order until they have returned enough rows.
  func statements(
    _ direction: Direction, from edge: [Term]?, isInclusive: Bool, count: Int
  ) throws -> [SQLStatement] {
    guard let edge else {
      return try templates(direction, nil, isInclusive: false, count: count).map(\.statement)
    }
    var values: [StorageValue] = []
    for term in edge {
      if case .constant(let value) = term { values.append(value) }
    }
    // Other terms are malformed texts, whose statements aren't cached.
    guard values.count == edge.count else {
      return try ranges(direction, edge, isInclusive: isInclusive, count).map(SQLCompiler.compile)
    }
    return try templates(direction, values.map(\.isNull), isInclusive: isInclusive, count: count).map { template in
      var arguments = template.statement.arguments
      for hole in template.holes { arguments[hole.argument] = values[hole.value] }
      return SQLStatement(sql: template.statement.sql, arguments: arguments)
    }
  }

  /// The statements with placeholders for the edge's values. No placeholder is NULL. Statements for NULLs in columns
  /// that can't hold NULL are left out, because they read nothing.
  func explained(_ direction: Direction, hasEdge: Bool, count: Int, _ db: Database) throws -> [SQLStatement] {
    guard hasEdge else { return try statements(direction, from: nil, isInclusive: false, count: count) }
    var columns: Set<String> = []
    if case .raw = base.source {} else { columns = try db.columnsWithoutNull(table.name) }
    func isNeverNull(_ term: Term) -> Bool {
      switch term {
      case .collate(let operand, _): isNeverNull(operand)
      case .column(let column): column.scope == .root && columns.contains(column.definition.name.asciiLowercased)
      default: false
      }
    }
    let edge = orderings.indices.map { Term.constant(Self.standIn($0)) }
    return try ranges(direction, edge, isInclusive: false, count, isNeverNull).map(SQLCompiler.compile)
  }

  private func templates(
    _ direction: Direction, _ nulls: [Bool]?, isInclusive: Bool, count: Int
  ) throws -> [Template] {
    let key = Key(direction: direction, nulls: nulls ?? [], isInclusive: isInclusive, count: count)
    if let known = templates.withLock({ $0[key] }) { return known }
    let edge = nulls?.enumerated().map { $1 ? Term.constant(.null) : .constant(Self.standIn($0)) }
    let made = try ranges(direction, edge, isInclusive: isInclusive, count).map { range in
      let statement = try SQLCompiler.compile(range)
      let holes = statement.arguments.enumerated().compactMap { argument, value in
        Self.index(ofStandIn: value).map { (argument: argument, value: $0) }
      }
      return Template(statement: statement, holes: holes)
    }
    templates.withLock { templates in
      // There is one entry for each combination of page size and NULLs: few, unless an app uses many sizes.
      if templates.count >= 64 { templates.removeAll() }
      templates[key] = made
    }
    return made
  }

  private func ranges(
    _ direction: Direction, _ edge: [Term]?, isInclusive: Bool, _ count: Int,
    _ isNeverNull: (Term) -> Bool = { _ in false }
  ) throws -> [SelectStatement] {
    var base = base
    if direction == .backward { base.orderings = orderings.map(\.reversed) }
    var ranges =
      edge.map { base.ranges(after: $0, isInclusive: isInclusive, isNeverNull: isNeverNull) } ?? [base]
    for index in ranges.indices { ranges[index].limit = count }
    return ranges
  }

  /// The statement that reads the ordering values of the row with a key.
  func statement(ofRow key: [Term]) throws -> SQLStatement {
    var row = base
    row.columns = orderings.map(\.term)
    row.orderings = []
    for (column, value) in zip(base.identity, key) { row.add(condition: .binary(.equal, column, value)) }
    row.limit = 1
    return try SQLCompiler.compile(row)
  }
}

/// Placeholders for the edge's values. They are random for each process, so that no value of a query is mistaken for
/// one.
extension PageForm {
  private static let standInStart = withUnsafeBytes(of: (UInt64.random(in: 0...(.max)), UInt64.random(in: 0...(.max))))
  {
    Data($0)
  }

  private static func standIn(_ index: Int) -> StorageValue {
    .blob(standInStart + withUnsafeBytes(of: UInt32(index).littleEndian) { Data($0) })
  }

  private static func index(ofStandIn value: StorageValue) -> Int? {
    guard case .blob(let data) = value, data.count == standInStart.count + 4, data.starts(with: standInStart) else {
      return nil
    }
    return data.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension SelectStatement {
  /// A number for the query's source, conditions, groups and orderings. Compared values and selected columns don't
  /// count.
  fileprivate var pageFormNumber: UInt64 {
    get throws {
      var form = withoutComparedValues
      form.columns = isDistinct ? columns : identity
      let isGrouped = isGrouped
      let statement = try SQLCompiler.compile(form)
      var hash = StableHash()
      hash.combine(statement.sql)
      // The remaining values belong to orderings and groups, where another value makes another order.
      for argument in statement.arguments { hash.combine(argument.literal) }
      // Distinguishes groups from rows, even if the SQL should be the same.
      hash.combine(isGrouped ? "groups" : "rows")
      return hash.value
    }
  }
}

extension Database {
  /// The lowercased names of a table's columns that can't hold NULL: the NOT NULL columns, and a key that is the rowid.
  fileprivate func columnsWithoutNull(_ table: String) throws -> Set<String> {
    let columns = try columns(in: table)
    let hasSingleKey = columns.count { $0.primaryKeyIndex > 0 } == 1
    return Set(
      columns.filter { column in
        column.isNotNull || hasSingleKey && column.primaryKeyIndex > 0 && column.type.asciiLowercased == "integer"
      }.map(\.name.asciiLowercased))
  }
}
