import GRDB

/// The cost of the pages of a query, and its causes.
public struct PageExplanation: Hashable, Sendable, CustomStringConvertible {
  /// One statement of a page, with its plan.
  public struct Statement: Hashable, Sendable {
    /// The statement's SQL, with placeholders for its values.
    public let sql: String
    /// SQLite's plan, with one line for each step.
    public let plan: [String]
    /// Whether an index leads to the rows in their order, so that SQLite reads no other rows.
    public let isServed: Bool
  }

  /// The statement of the first page.
  public let first: Statement
  /// The statements of a page after another page. Each runs only if the statements before it returned too few rows.
  /// Statements for NULLs in a NOT NULL column are left out.
  public let following: [Statement]
  /// The Swift declaration of the index that would serve the ordering. Nil if an index serves it, no index can, or the
  /// record already declares the index.
  public let missingIndex: String?
  /// The reason why no index can serve the ordering; nil if an index does or could.
  public let reason: String?

  /// Whether indexes serve all statements. A page then costs O(log n + size), however deep in the list it is.
  public var isServed: Bool { first.isServed && following.allSatisfy(\.isServed) }

  public var description: String {
    if isServed { return "An index serves the order: a page costs the same wherever it is." }
    let cost = "Each page reads all rows of the query"
    if let missingIndex { return "\(cost), since no index serves the order. Declare \(missingIndex)." }
    if let reason { return "\(cost), and no index can serve the order: \(reason)." }
    return "\(cost): SQLite chose another plan, although a declared index could serve the order."
  }
}

extension Pages {
  /// Explains the cost of the query's pages by SQLite's plans for their statements.
  ///
  /// ```swift
  /// print(try await store.pages(of: query, size: 50).explain())
  /// // Each page reads all rows of the query, since no index serves the order. Declare @Record(indexes: [.on(\.projectID, \.dueAt)]).
  /// ```
  ///
  /// - Throws: As ``first()``.
  public func explain() async throws -> PageExplanation {
    let form = try query.checkedForm()
    let count = size + 1
    return try await store.read { try form.explanation(count: count, $0.database) }
  }
}

extension PageForm {
  func explanation(count: Int, _ db: Database) throws -> PageExplanation {
    let first = try explained(.forward, hasEdge: false, count: count, db).map {
      try explain($0, isFollowing: false, db)
    }[0]
    let following = try explained(.forward, hasEdge: true, count: count, db).map {
      try explain($0, isFollowing: true, db)
    }
    guard !first.isServed || following.contains(where: { !$0.isServed }) else {
      return PageExplanation(first: first, following: following, missingIndex: nil, reason: nil)
    }
    switch servingIndex {
    case .none(let reason):
      return PageExplanation(first: first, following: following, missingIndex: nil, reason: reason)
    case .index(let index):
      let declaration = try hasIndex(index) ? nil : index.declaration(in: table)
      return PageExplanation(first: first, following: following, missingIndex: declaration, reason: nil)
    }
  }

  /// A report of the index that would serve the pages; nil if no declaration helps.
  func missingIndex(count: Int, _ db: Database) throws -> MissingIndex? {
    guard case .index(let index) = servingIndex else { return nil }
    let explanation = try explanation(count: count, db)
    guard let declaration = explanation.missingIndex else { return nil }
    return MissingIndex(
      operation: StoreOperation.current, table: table.name, query: explanation.first.sql, declaration: declaration,
      sql: try DeclaredIndex(index, table: table).sql)
  }

  /// Whether the record declares the index. If it does, SQLite has preferred another plan.
  private func hasIndex(_ index: IndexDefinition) -> Bool {
    table.indexes.contains { $0.parts == index.parts && $0.condition == nil }
  }

  private func explain(
    _ statement: SQLStatement, isFollowing: Bool, _ db: Database
  ) throws -> PageExplanation.Statement {
    let arguments = StatementArguments(statement.arguments.map(\.databaseValue))
    let rows = try TextFunctions.registering(on: db) {
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + statement.sql, arguments: arguments)
    }
    let steps = rows.map { (id: $0[0] as Int, parent: $0[1] as Int, text: $0[3] as String) }
    // A statement that first chooses keys sorts the chosen rows once more. These are only the rows of the page.
    let chosen = steps.first { step in
      step.parent == 0 && ["CO-ROUTINE", "MATERIALIZE"].contains { step.text.hasPrefix($0) }
    }
    let deciding = steps.filter { $0.parent == chosen?.id ?? 0 }.map(\.text)
    let sorts = deciding.contains { $0.hasPrefix("USE TEMP B-TREE") }
    let finds = deciding.first.map { $0.hasPrefix("SEARCH") } ?? true
    return PageExplanation.Statement(
      sql: statement.sql, plan: steps.map(\.text), isServed: !sorts && (finds || !isFollowing))
  }
}

extension Store {
  /// Reports once that the pages of a form lack an index.
  ///
  /// - Parameter count: The greatest number of rows that the statements read.
  func reportMissingIndex(_ form: PageForm, count: Int) async throws {
    guard hasSinks.load(ordering: .acquiring), !reportedForms.withLock({ $0.contains(form.number) }) else { return }
    // The read isn't recorded, so that a recording has only the statements of the measured work.
    let missing = try await wrappingErrors {
      try await writer.readUnlessClosed { try form.missingIndex(count: count, $0) }
    }
    guard reportedForms.withLock({ $0.insert(form.number).inserted }), let missing else { return }
    for sink in sinks.withLock({ $0 }) { sink.sink.receive(missing) }
  }
}
