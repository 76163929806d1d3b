import SanderlingSQL

/// The parts of a statement that matter for indexes and rewrites.
struct QueryShape: Sendable {
  enum Kind: Hashable, Sendable {
    case select
    case insert(table: String)
    case update(table: String, columns: [String])
    case delete(table: String)
  }

  var kind: Kind
  /// All SELECT cores, and the UPDATE or DELETE itself. Inner ones follow the outer ones.
  var selects: [SelectShape]
  /// The number of parameters: their highest number.
  var parameterCount: Int
  /// Parameters with names, as written.
  var parameterNames: [String: Int]
  /// Strings in double quotes, which look like names.
  var strings: [Range<Int>]
  /// The shapes of the views that it reads, by the source's number. Their ranges refer to the view's own text.
  var views: [Int: QueryShape] = [:]
  /// The tree with the meaning of each name.
  var resolved: ResolvedStatement

  var text: SQLText { resolved.statement.text }

  func select(_ id: Int) -> SelectShape? { selects.first { $0.id == id } }

  func source(_ id: Int) -> SourceShape? { selects.lazy.flatMap(\.sources).first { $0.id == id } }

  /// The cores of the statement and of the views that it reads, at any depth.
  var selectsWithViews: [SelectShape] { selects + views.values.flatMap(\.selectsWithViews) }
}

/// The parts of a SELECT core, UPDATE or DELETE that matter for indexes.
struct SelectShape: Sendable {
  var id: Int
  /// The core around it.
  var parent: Int?
  var role: ResolvedCore.Role
  var range: Range<Int>
  /// Whether compound operators combine it with other cores.
  var isCompound: Bool
  /// The sources of outer cores that the core depends on. It runs for each of their rows.
  var outerSources: Set<Int>
  /// The sources in the order of the text.
  var sources: [SourceShape] = []
  /// Conditions that belong to no single source: on several sources without a comparison of columns, or on none.
  var residues: [Range<Int>] = []
  var orderBy: [OrderShape] = []
  /// Whether `orderBy` comes from the core that reads this subquery or view. Its ranges then refer to that core's text.
  var isOrderPushedDown = false
  var groupBy: [OrderShape] = []
  var isDistinct = false
  /// The result columns that DISTINCT compares.
  var distinct: [OrderShape] = []
  var aggregates: [AggregateShape] = []
  var hasWindowFunctions = false
  /// For each distinct window: the terms of its PARTITION BY, then its order.
  var windows: [[OrderShape]] = []
  var hasHaving = false
  var limit: BoundShape?
  var offset: BoundShape?
  /// The number of result columns.
  var resultCount = 0

  var isCorrelated: Bool { !outerSources.isEmpty }

  func source(_ id: Int) -> SourceShape? { sources.first { $0.id == id } }
}

/// A table or other source of rows in one core.
struct SourceShape: Sendable {
  var id: Int
  /// Its alias, or the table's name if there is none.
  var name: String
  var kind: ResolvedSource.Kind
  /// The name of the table or view in the schema's spelling; nil for other sources.
  var table: String?
  /// The cores of its subquery or common table.
  var cores: [Int]
  var join: SQLJoin.Kind
  /// Whether an outer join can fill its columns with NULL.
  var isNullable: Bool
  /// Whether the statement names its index or forbids indexes.
  var hasIndexHint: Bool
  /// Conditions that must all hold, one for each restricted column.
  var terms: [TermShape] = []
  /// Alternative conditions: one of them must hold.
  var alternatives: [AlternativesShape] = []
  /// All its columns that the statement reads anywhere, in the schema's spelling and order; `rowid` if it is read by
  /// that name.
  var columns: [String] = []
  /// Whether `*` reads all of its columns.
  var readsAllColumns = false
  var range: Range<Int>
  /// The source with its join operator, ON and USING.
  var joinRange: Range<Int>

  /// Whether a condition outside the join excludes all rows in which an outer join filled its columns with NULL, so
  /// that the join is effectively an inner one.
  var rejectsNull: Bool {
    terms.contains { term in
      switch term.kind {
      case .equality, .membership, .range, .isNotNull, .pattern, .truth:
        term.clause == .condition && term.isNullRejecting
      case .isNull, .other: false
      }
    }
  }
}

/// A LIMIT or OFFSET.
enum BoundShape: Hashable, Sendable {
  case literal(Int64)
  case parameter(Int)
  case expression
}
