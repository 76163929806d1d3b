/// Finds candidates for one source of a SELECT, UPDATE or DELETE.
struct SourceCandidates {
  let select: SelectShape
  let source: SourceShape
  let table: TableSchema
  let facts: ColumnFacts
  let resolved: ResolvedStatement
  let evidence: LiteralEvidence
  let statement: Int?

  typealias Key = IndexCandidate.Key
  typealias Purpose = IndexCandidate.Purpose

  /// The keys of an index in order, and their purposes.
  struct Sequence {
    var keys: [Key]
    var purposes: Set<Purpose>
    /// The number of the first keys with one value each. Their order doesn't matter.
    var fixed = 0
  }

  /// The greatest number of plain candidates. Covering and partial candidates come in addition.
  static let maximumPlain = 8
  private static let maximumRangesAlone = 4
  /// The greatest number of columns that are only read.
  static let maximumCoveringColumns = 4
  static let maximumCoveringWidth = 40.0
  /// The greatest mean size of such a column in a partial index, in bytes.
  static let maximumPartialWidth = 120.0

  /// The candidates, the most promising first.
  func candidates() -> [IndexCandidate] {
    var found: [IndexCandidate] = []
    let plain = Array(sequences(leavingOut: []).prefix(Self.maximumPlain))
    found += plain.map { candidate($0) }
    found += rangesAlone().map { candidate($0) }
    found += alternatives()
    found += plain.prefix(6).compactMap { covering($0) }
    found += partial() + guarded()
    if let index = coveringScan() { found.append(index) }
    var seen: Set<IndexCandidate> = []
    return found.filter { index in
      !index.keys.isEmpty && !table.isServed(index) && !holdsDoubtfulPattern(index) && !isOfOneLiteral(index)
        && seen.insert(index).inserted
    }
  }

  /// Whether the index holds a column of a pattern in the ON of an outer join.
  ///
  /// With an index of `c.name`, SQLite 3.40 leaves out the rows without partner of `p LEFT JOIN c ON c.parent = p.id
  /// AND c.name LIKE 'a%'`.
  private func holdsDoubtfulPattern(_ index: IndexCandidate) -> Bool {
    guard source.isNullable else { return false }
    let columns = source.terms.flatMap { term -> [String] in
      if case .pattern = term.kind, case .join = term.clause { term.columns } else { [] }
    }
    return index.keys.contains { key in columns.contains { $0 == key.column } }
  }

  /// Whether a key is a comparison, a distance or a sum with a literal that another execution may not have.
  private func isOfOneLiteral(_ index: IndexCandidate) -> Bool {
    index.keys.contains { key in
      guard key.column == nil else { return false }
      let columns = table.columns.map(\.name).filter { key.sql.contains($0.quotedIdentifier) }
      let isDoubtful =
        LiteralEvidence.comparesLiterals(key.sql)
        || !evidence.hasParameters(statement)
          && (LiteralEvidence.measuresDistance(key.sql)
            && !source.terms.contains { $0.isEquality && $0.key?.sql == key.sql }
            || LiteralEvidence.isShifted(key.sql) && source.terms.contains { $0.key?.sql == key.sql })
      return isDoubtful && !evidence.isOwn(key.sql, of: statement, table: table.name, columns: columns)
    }
  }

  func candidate(_ sequence: Sequence, condition: String? = nil) -> IndexCandidate {
    IndexCandidate(
      table: table.name, keys: sequence.keys, interchangeable: sequence.fixed, condition: condition,
      purposes: sequence.purposes)
  }

  // MARK: Keys in order

  /// The sequences for the terms, except the terms whose conditions a partial index holds.
  func sequences(leavingOut conditions: Set<String>) -> [Sequence] {
    let terms = source.terms.filter { !conditions.contains($0.indexCondition ?? "") || $0.indexCondition == nil }
    let reader = TermKeys(table: table)
    // Values of the outer row find rows, and constants leave rows out.
    let equalities = terms.filter { $0.isEquality && !$0.isOfSources }
    let constants = equalities.filter(\.isOfOuter) + equalities.filter { !$0.isOfOuter }
    let joins = terms.filter { $0.isEquality && $0.isOfSources }
    let memberships = terms.compactMap { $0.isMembership ? reader.sequence([$0]) : nil }
    let ranges = reader.ranges(terms)
    let tails = OrderKeys(select: select, source: source, table: table, resolved: resolved)

    var found: [Sequence] = []
    // SQLite searches an index of the selected column instead of a list of the subquery's rows.
    let selected = tails.selected()
    if !selected.keys.isEmpty { found.append(selected + reader.sequence(constants + joins)) }
    for terms in variants(constants, joins) {
      var fixed = reader.sequence(terms)
      fixed.fixed = fixed.keys.count
      let ordered = tails.tails(after: fixed.keys) + (selected.keys.isEmpty ? [] : [selected])
      let filters = ranges + memberships
      for tail in ordered {
        found.append(fixed + tail)
        // With the filters' columns, the index leaves rows out before they are looked up.
        let rest = filters.reduce(Sequence(keys: [], purposes: [])) { $0 + $1 }
        if !rest.keys.isEmpty { found.append(fixed + tail + rest) }
      }
      if let all = memberships.isEmpty ? nil : memberships.reduce(fixed, +) {
        found += ranges.map { all + $0 }
        found.append(all)
        if memberships.count > 1 { found += memberships.map { fixed + $0 } }
      }
      if let rowid = rowid(after: fixed) { found.append(fixed + rowid) }
      found += ranges.map { fixed + $0 }
      // One range finds rows, and the other ranges leave entries out.
      if ranges.count > 1 { found += ranges.map { first in ranges.reduce(fixed + first, +) } }
      found.append(fixed)
    }
    var seen: Set<[Key]> = []
    return found.filter { !$0.keys.isEmpty && seen.insert($0.keys).inserted }
  }

  /// Each range after the equalities with constants, without joins and orderings: one range may leave few rows.
  private func rangesAlone() -> [Sequence] {
    let reader = TermKeys(table: table)
    let fixed = reader.sequence(source.terms.filter { $0.isEquality && !$0.isOfSources })
    let ranges = reader.ranges(source.terms)
    guard (2...Self.maximumRangesAlone).contains(ranges.count) else { return [] }
    return ranges.map { fixed + $0 }
  }

  /// The rowid as a further key, if rows are wanted in its order or in a range of it, and each existing index with the
  /// fixed keys has further keys. Every index ends with the rowid.
  private func rowid(after fixed: Sequence) -> Sequence? {
    guard !fixed.keys.isEmpty, let alias = table.rowIDAlias else { return nil }
    let begun = table.indexes.filter { index in
      index.condition == nil && index.keys.count >= fixed.keys.count
        && zip(index.keys, fixed.keys).allSatisfy { $0.isLike($1, in: table) }
    }
    guard !begun.isEmpty, begun.allSatisfy({ $0.keys.count > fixed.keys.count }) else { return nil }
    let isRange = source.terms.contains { term in
      if case .range = term.kind { term.key?.isRowid == true && term.rowPosition == nil } else { false }
    }
    let first = select.orderBy.first { term in
      !fixed.keys.contains { key in key.column != nil && term.key?.columns == [key.column ?? ""] }
    }
    let isOrder = first?.key.map { $0.source == source.id && $0.isRowid } ?? false
    guard isRange || isOrder else { return nil }
    return Sequence(
      keys: [Key(column: alias, sql: alias.quotedIdentifier)], purposes: [isOrder ? .order : .filter])
  }

  /// The equalities with which an index can begin: the first source of a join has no values from other sources yet.
  private func variants(_ constants: [TermShape], _ joins: [TermShape]) -> [[TermShape]] {
    var variants: [[TermShape]] = []
    if !joins.isEmpty {
      variants.append(joins + constants)
      var partners: [TermShape.Value] = []
      for join in joins where !partners.contains(join.value) { partners.append(join.value) }
      if partners.count > 1 {
        for partner in partners.prefix(4) { variants.append(joins.filter { $0.value == partner } + constants) }
      }
    }
    variants.append(constants)
    // Each of several equalities may have an index of its own, which serves more statements.
    if constants.count > 1, joins.isEmpty { variants += constants.prefix(3).map { [$0] } }
    return variants
  }

  // MARK: Other forms

  /// The candidate with all other columns that are read, so that SQLite doesn't read the table.
  func covering(_ sequence: Sequence, condition: String? = nil) -> IndexCandidate? {
    guard !source.readsAllColumns else { return nil }
    let held = Set(sequence.keys.compactMap { $0.column?.asciiLowercased })
    let missing = source.columns.filter { !isInEachIndex($0) && !held.contains($0.asciiLowercased) }
    return candidate(sequence, reading: missing, condition: condition)
  }

  /// The candidate with further columns that are only read; nil if there are none, too many, or too long columns.
  func candidate(_ sequence: Sequence, reading columns: [String], condition: String? = nil) -> IndexCandidate? {
    let width = condition == nil ? Self.maximumCoveringWidth : Self.maximumPartialWidth
    guard !columns.isEmpty, columns.count <= Self.maximumCoveringColumns, isNarrow(columns, width) else { return nil }
    var index = candidate(sequence, condition: condition)
    index.keys += columns.map { Key(column: $0, sql: $0.quotedIdentifier) }
    return index
  }

  private func isNarrow(_ columns: [String], _ maximum: Double = maximumCoveringWidth) -> Bool {
    let widths = columns.map { facts.width(of: $0, in: table.name) }
    return widths.allSatisfy { $0 <= maximum } && widths.reduce(0, +) <= 2 * maximum
  }

  private func isInEachIndex(_ column: String) -> Bool {
    if table.isWithoutRowID { return table.primaryKey.contains { $0.asciiLowercased == column.asciiLowercased } }
    return column == table.rowIDAlias || table.column(column) == nil
  }

  /// An index that SQLite reads instead of the table, if few columns of all rows are read.
  private func coveringScan() -> IndexCandidate? {
    guard !source.readsAllColumns else { return nil }
    if let index = countingScan() { return index }
    let columns = source.columns.filter { !isInEachIndex($0) }
    guard !columns.isEmpty, columns.count <= Self.maximumCoveringColumns, isNarrow(columns) else { return nil }
    return scan(columns, for: .filter)
  }

  /// A short index that SQLite reads instead of the table to count all rows; nil if the table has an index already.
  private func countingScan() -> IndexCandidate? {
    guard source.columns.isEmpty, source.terms.isEmpty, !table.isWithoutRowID,
      !table.indexes.contains(where: { $0.condition == nil })
    else { return nil }
    let columns = table.columns.filter { !$0.isHidden && !isInEachIndex($0.name) && isNarrow([$0.name]) }
    // Numbers take less space than assumed, and an index of numbers may serve other statements.
    return (columns.first { [.integer, .numeric].contains($0.affinity) } ?? columns.first).map {
      scan([$0.name], for: .count)
    }
  }

  private func scan(_ columns: [String], for purpose: Purpose) -> IndexCandidate {
    IndexCandidate(
      table: table.name, keys: columns.map { Key(column: $0, sql: $0.quotedIdentifier) }, seekingKeys: 0,
      purposes: [purpose])
  }
}

extension SourceCandidates.Sequence {
  /// The keys of both sequences, each once.
  static func + (one: Self, other: Self) -> Self {
    let added = other.keys.filter { key in !one.keys.contains { $0.isLike(key) } }
    let purposes = added.isEmpty ? one.purposes : one.purposes.union(other.purposes)
    return Self(keys: one.keys + added, purposes: purposes, fixed: one.fixed)
  }
}

extension TermShape {
  /// Whether all selected rows have one value of the key.
  var isEquality: Bool {
    guard let key, !key.isRowid, value != .sameSource else { return false }
    return kind == .equality || kind == .isNull
  }

  var isMembership: Bool {
    guard let key, !key.isRowid, value != .sameSource, case .membership = kind else { return false }
    return true
  }

  var isOfOuter: Bool { if case .outer = value { true } else { false } }

  var isOfSources: Bool { if case .sources = value { true } else { false } }
}
