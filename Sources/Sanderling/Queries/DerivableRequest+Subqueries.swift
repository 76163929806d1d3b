public import GRDB

/// Aggregates of GRDB's associations, each in a subquery of its own.
///
/// GRDB's `annotated(with:)` joins all associations before it groups. The joined rows of a parent are the product of its
/// children of each kind: 200 books, 100 reviews and 30 prizes make 600,000 rows. Also, sums and averages over several
/// associations count each child many times.
extension DerivableRequest {
  /// Appends aggregates of associations to the selected columns. Each aggregate is a correlated subquery, so that no
  /// association multiplies the rows of another.
  ///
  /// ```swift
  /// let authors = Author.annotated(withSubqueries: Author.books.count, Author.prizes.sum(Column("amount")))
  /// ```
  ///
  /// The columns have the names that `annotated(with:)` gives them, such as `bookCount`. The aggregates may be those of
  /// filtered associations, of `hasMany(_:through:using:)` and of associations of a table with itself. An expression of
  /// several aggregates, such as `Author.books.count + Author.prizes.count`, is one subquery that joins both.
  ///
  /// The table needs a primary key or row ids, which a view has not.
  ///
  /// - Complexity: One search by the primary key and one search by the foreign key for each row and aggregate. Index
  ///   the foreign key.
  public func annotated(withSubqueries aggregates: [AssociationAggregate<RowDecoder>]) -> Self {
    let row = TableAlias<RowDecoder>(for: RowDecoder.self)
    let table = databaseTableName
    let subqueries = aggregates.map { AggregateSubquery($0, table: table) }
    return _aliased(row).annotatedWhenConnected { db in try subqueries.map { try $0.selection(for: row, db) } }
  }

  /// Appends aggregates of associations to the selected columns, each in a subquery of its own.
  public func annotated(withSubqueries aggregates: AssociationAggregate<RowDecoder>...) -> Self {
    annotated(withSubqueries: aggregates)
  }
}

extension TableRecord {
  /// The records with aggregates of associations, each in a subquery of its own.
  public static func annotated(
    withSubqueries aggregates: [AssociationAggregate<Self>]
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(withSubqueries: aggregates)
  }

  /// The records with aggregates of associations, each in a subquery of its own.
  public static func annotated(
    withSubqueries aggregates: AssociationAggregate<Self>...
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(withSubqueries: aggregates)
  }
}

/// An aggregate of the associations of one row.
///
/// GRDB's aggregates only go to a request of their own record. So the subquery begins with the record's table again, and
/// its condition is the row's primary key. GRDB doesn't rename a table that occurs inside and outside of a subquery. An
/// association of a table with itself would hide the row, so a second subquery with a name of its own stands between.
private struct AggregateSubquery<RowDecoder>: Sendable {
  private let table: String
  private let parent = TableAlias<RowDecoder>(name: "sanderling_parent", for: RowDecoder.self)
  private let middle = TableAlias<RowDecoder>(name: "sanderling_row", for: RowDecoder.self)
  private let aggregate: QueryInterfaceRequest<RowDecoder>

  init(_ aggregate: AssociationAggregate<RowDecoder>, table: String) {
    self.table = table
    self.aggregate = Table<RowDecoder>(table).all()._aliased(parent).selectWhenConnected { _ in [] }
      .annotated(with: [aggregate])
  }

  /// The subquery as a selected column.
  func selection(for row: TableAlias<RowDecoder>, _ db: Database) throws -> SQLSelection {
    let key = try db.primaryKey(table).columns
    let name = try aggregate.makePreparedRequest(db, forSingleResult: false).statement.columnNames[0]
    let value = aggregate.filter(Self.isSame(parent, middle, key))
    return Table<RowDecoder>(table).all()._aliased(middle).selectWhenConnected { _ in [value.sqlExpression] }
      .filter(Self.isSame(middle, row, key)).sqlExpression.forKey(name)
  }

  private static func isSame(
    _ one: TableAlias<RowDecoder>, _ other: TableAlias<RowDecoder>, _ key: [String]
  ) -> SQLExpression {
    key.map { one[$0] == other[$0] }.joined(operator: .and)
  }
}
