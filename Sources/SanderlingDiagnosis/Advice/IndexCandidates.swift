import SanderlingSQL

/// Finds candidates for a statement from its shape alone. Measurements show later whether they help.
struct IndexCandidates {
  let schema: DatabaseSchema
  let facts: ColumnFacts
  var evidence = LiteralEvidence()
  /// The statement's number in the workload.
  var statement: Int?

  /// The greatest number of candidates for one statement. A statement with very many sources gets candidates for the
  /// first sources.
  static let maximum = 60

  /// The candidates, the most promising of each source first. O(sources · terms²).
  func candidates(for shape: QueryShape) -> [IndexCandidate] {
    var found: [IndexCandidate] = []
    var seen: Set<IndexCandidate> = []
    func add(_ candidates: [IndexCandidate]) {
      for candidate in candidates where found.count < Self.maximum && seen.insert(candidate).inserted {
        found.append(candidate)
      }
    }
    for source in sources(of: shape) { add(source.candidates()) }
    add(foreignKeyCandidates(for: shape))
    return found
  }

  /// The partial index for only the statement's rows; nil if no condition of the statement gives the first keys their
  /// values. O(sources · terms).
  func conditioned(_ index: IndexCandidate, for shape: QueryShape) -> IndexCandidate? {
    sources(of: shape).lazy.filter { $0.table.name == index.table }.compactMap { $0.conditioned(index) }.first
  }

  private func sources(of shape: QueryShape) -> [SourceCandidates] {
    withViews(shape).flatMap { shape in
      shape.selects.flatMap { select in
        select.sources.compactMap { source in
          guard source.kind == .table, !source.hasIndexHint, let table = source.table.flatMap(schema.table),
            table.kind == .ordinary
          else { return nil }
          return SourceCandidates(
            select: select, source: source, table: table, facts: facts, resolved: shape.resolved, evidence: evidence,
            statement: statement)
        }
      }
    }
  }

  private func withViews(_ shape: QueryShape) -> [QueryShape] {
    [shape] + shape.views.sorted { $0.key < $1.key }.flatMap { withViews($0.value) }
  }

  // MARK: Foreign keys

  /// Candidates for foreign keys: SQLite looks for the rows that refer to each deleted row, and deletes some of them in
  /// turn.
  func foreignKeyCandidates(for shape: QueryShape) -> [IndexCandidate] {
    var changed: [String]
    switch shape.kind {
    case .delete(let table): changed = [table]
    case .update(let table, let columns): changed = updatesKeys(of: table, columns) ? [table] : []
    case .insert, .select: return []
    }
    var found: [IndexCandidate] = []
    var seen = Set(changed.map(\.asciiLowercased))
    while let parent = changed.popLast() {
      let key = parent.asciiLowercased
      for child in schema.tables where child.kind == .ordinary {
        for reference in child.foreignKeys where reference.parentTable.asciiLowercased == key {
          let keys = schema.keys(of: reference, in: child)
          let candidate = IndexCandidate(table: child.name, keys: keys, purposes: [.foreignKey])
          let isRowID = keys.count == 1 && keys[0].column == child.rowIDAlias
          if !keys.isEmpty, !isRowID, !child.isServed(candidate) { found.append(candidate) }
          if reference.onDelete.uppercased() == "CASCADE", seen.insert(child.name.asciiLowercased).inserted {
            changed.append(child.name)
          }
        }
      }
    }
    return found
  }

  private func updatesKeys(of table: String, _ columns: [String]) -> Bool {
    let changed = Set(columns.map(\.asciiLowercased))
    return schema.tables.flatMap(\.foreignKeys).contains { key in
      guard key.parentTable.asciiLowercased == table.asciiLowercased else { return false }
      let parents = key.parentColumns.isEmpty ? schema.table(table)?.primaryKey ?? [] : key.parentColumns
      return parents.contains { changed.contains($0.asciiLowercased) }
    }
  }
}

extension DatabaseSchema {
  /// The keys of an index that finds the rows that refer to a parent. The values have the collation of the parent's
  /// column.
  func keys(of reference: ForeignKeySchema, in child: TableSchema) -> [IndexCandidate.Key] {
    let parent = table(reference.parentTable)
    let parentColumns = reference.parentColumns.isEmpty ? parent?.primaryKey ?? [] : reference.parentColumns
    return reference.columns.enumerated().compactMap { place, name in
      guard let column = child.column(name) else { return nil }
      let collation = parentColumns[safe: place].flatMap { parent?.column($0) }?.collation ?? column.collation
      return IndexCandidate.Key(
        column: column.name, sql: column.name.quotedIdentifier,
        collation: collation.asciiLowercased == column.collation.asciiLowercased ? nil : collation)
    }
  }

  /// Whether a new index needs statistics, because other indexes of its table have some.
  ///
  /// If only one index has statistics, SQLite compares its counts with guesses for the other indexes. It guesses that
  /// ten rows have each value.
  func hasStatistics(ofIndexesBeside index: IndexCandidate) -> Bool {
    guard hasStatistics, let table = table(index.table) else { return false }
    return table.indexes.isEmpty || table.indexes.contains { !$0.statistics.isEmpty }
  }
}

extension TableSchema {
  /// Whether an existing index begins with the same keys, so that the candidate adds nothing.
  func isServed(_ candidate: IndexCandidate) -> Bool {
    indexes.contains { index in
      guard index.keys.count >= candidate.keys.count else { return false }
      guard index.condition == nil || index.condition == candidate.condition else { return false }
      let pairs = zip(index.keys, candidate.keys)
      guard pairs.allSatisfy({ $0.isLike($1, in: self) }) else { return false }
      let turned = pairs.filter { $0.isDescending != $1.isDescending }.count
      return turned == 0 || turned == candidate.keys.count
    }
  }
}

extension IndexKey {
  /// Whether the two keys hold the same values, in the same or in the opposite order.
  func isLike(_ key: IndexCandidate.Key, in table: TableSchema) -> Bool {
    if let column {
      guard let other = key.column, other.asciiLowercased == column.asciiLowercased else { return false }
    } else {
      guard key.column == nil, let expression, SQLText.sameTokens(expression, key.sql) else { return false }
    }
    let expected = key.collation ?? key.column.flatMap(table.column)?.collation ?? "BINARY"
    return expected.asciiLowercased == collation.asciiLowercased
  }
}

extension SQLText {
  /// Whether two expressions differ only in white space, quotes and the case of words.
  static func sameTokens(_ one: String, _ other: String) -> Bool {
    func words(_ sql: String) -> [String] {
      let text = SQLText(sql)
      return SQLTokenizer(text).filter { !$0.isTrivia }
        .map { token in
          let word = text[token.range]
          return word.hasPrefix("'") ? word : word.withoutQuotes.asciiLowercased
        }
    }
    return words(one) == words(other)
  }
}
