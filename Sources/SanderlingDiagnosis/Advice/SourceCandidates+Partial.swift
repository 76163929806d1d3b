/// Candidates for partial indexes, with the rows that a condition of the statement selects.
extension SourceCandidates {
  private static let maximumPartial = 6
  /// The greatest share of the rows that a partial index may hold.
  private static let maximumPartialShare = 0.35

  /// Partial indexes with a condition that few rows meet. The condition then needs no key.
  func partial() -> [IndexCandidate] {
    var conditions: [String] = []
    for term in source.terms {
      guard let condition = term.indexCondition, isLasting(term), !conditions.contains(condition),
        let share = facts.share(of: condition, in: table.name), share <= Self.maximumPartialShare
      else { continue }
      conditions.append(condition)
    }
    for condition in alternativeConditions where !conditions.contains(condition) {
      guard let share = facts.share(of: condition, in: table.name), share <= Self.maximumPartialShare else { continue }
      conditions.append(condition)
    }
    var found: [IndexCandidate] = []
    for (set, condition) in sets(of: conditions) {
      var sequences = Array(sequences(leavingOut: Set(set)).prefix(2))
      if sequences.isEmpty { sequences = [Sequence(keys: [keyOfAny(for: set)], purposes: [.filter])] }
      for sequence in sequences {
        found.append(candidate(sequence, condition: condition))
        if let index = covering(sequence, condition: condition) { found.append(index) }
      }
    }
    return Array(found.prefix(Self.maximumPartial))
  }

  /// Partial indexes of JSON. Each row of such an index must have JSON, and often another condition of the statement
  /// selects the rows that have some.
  func guarded() -> [IndexCandidate] {
    let readers = Set(source.terms.compactMap(\.key).filter(\.readsJSON).map(\.sql))
    if readers.isEmpty { return [] }
    let conditions = source.terms.compactMap { term -> String? in
      guard term.isEquality, term.key?.isColumn == true, let condition = term.indexCondition else { return nil }
      return isLasting(term) || evidence.isOfCode(term.columns[0], of: table.name, in: statement) ? condition : nil
    }
    return sets(of: conditions).flatMap { set, condition in
      let sequences = sequences(leavingOut: Set(set)).filter { $0.keys.contains { readers.contains($0.sql) } }
      return sequences.prefix(2).flatMap { sequence in
        [candidate(sequence, condition: condition), covering(sequence, condition: condition)].compactMap(\.self)
      }
    }
  }

  /// All conditions together, and each of the first conditions alone, as the condition of an index.
  private func sets(of conditions: [String]) -> [(conditions: [String], whole: String)] {
    var sets = conditions.prefix(3).map { [$0] }
    if conditions.count > 1 { sets.insert(conditions, at: 0) }
    return sets.map { ($0, Self.joined($0)) }
  }

  private static func joined(_ conditions: [String]) -> String {
    conditions.map { conditions.count > 1 ? "(\($0))" : $0 }.joined(separator: " AND ")
  }

  /// The index with only the statement's rows: the first keys with a lasting value move into the condition. Statements
  /// that look for other rows then can't use the index. Nil if no other key is left.
  func conditioned(_ index: IndexCandidate) -> IndexCandidate? {
    guard index.condition == nil else { return nil }
    let conditions = index.keys.map { key in
      source.terms.first { term in
        key.column.map { term.columns == [$0] } ?? false && (term.kind == .isNull && isLasting(term) || isFlag(term))
      }?.indexCondition
    }.prefix { $0 != nil }.compactMap(\.self)
    guard !conditions.isEmpty, conditions.count < index.keys.count else { return nil }
    var conditioned = index
    conditioned.keys.removeFirst(conditions.count)
    conditioned.seekingKeys = max(0, index.seekingKeys - conditions.count)
    conditioned.interchangeable = max(0, index.interchangeable - conditions.count)
    conditioned.condition = Self.joined(conditions)
    return table.isServed(conditioned) ? nil : conditioned
  }

  /// Whether a condition selects a kind of row and not a single row (`state = 'open'`, not `id = 17`), and the workload
  /// shows that the statement always has this condition.
  private func isLasting(_ term: TermShape) -> Bool {
    if let condition = term.indexCondition, term.columns.count == 1, LiteralEvidence.testsBits(condition) {
      return !evidence.isOfSomeExecutions(condition, of: statement)
    }
    guard
      isFlag(term)
        || evidence.isOwn(term.indexCondition ?? "", of: statement, table: table.name, columns: term.columns)
        || isOtherThanUsual(term)
    else { return false }
    return switch term.kind {
    case .isNull, .isNotNull, .truth, .other: true
    case .equality, .membership:
      term.columns.count == 1 && !refersToRow(term.columns[0])
        && facts.distinctValues(of: term.columns[0], in: table.name) <= 32
    case .range, .pattern: false
    }
  }

  /// Whether a condition excludes one value, and the workload compares the column with no other value. If few rows are
  /// left, most rows have the value, so it is no user's choice.
  private func isOtherThanUsual(_ term: TermShape) -> Bool {
    guard case (.other, .literal) = (term.kind, term.value), term.columns.count == 1 else { return false }
    return !refersToRow(term.columns[0]) && evidence.hasOneValue(term.columns[0], of: table.name)
  }

  /// Whether a column holds keys of other rows, by its declaration or its name. Such a column selects a folder, for
  /// example, and not a kind of row.
  private func refersToRow(_ column: String) -> Bool {
    let name = column.asciiLowercased
    return name.hasSuffix("_id") || name == "id" || column.hasSuffix("Id") || column.hasSuffix("ID")
      || table.foreignKeys.contains { $0.columns.contains { $0.asciiLowercased == name } }
  }

  /// Whether the column has two values, or the condition compares with zero or an empty text.
  private func isFlag(_ term: TermShape) -> Bool {
    guard let condition = term.indexCondition, term.columns.count == 1 else { return false }
    let literals = LiteralEvidence.literals(in: condition)
    switch term.kind {
    case .equality, .membership:
      return literals.allSatisfy { $0 == "0" || $0 == "1" }
        && facts.distinctValues(of: term.columns[0], in: table.name) <= 2
    case .other: return literals == ["0"] || literals == ["''"]
    case .range, .isNull, .isNotNull, .pattern, .truth: return false
    }
  }

  /// Conditions joined by OR that read only this source and literals.
  private var alternativeConditions: [String] {
    guard let core = resolved.core(select.id), let condition = core.condition else { return [] }
    let ranges = source.alternatives
      .filter {
        !$0.isPushedDown && $0.isOfOneSource && $0.branches.allSatisfy { !$0.isEmpty && $0.allSatisfy(isLasting) }
      }.map(\.range)
    return condition.conjuncts.filter { ranges.contains($0.range) }
      .compactMap { KeyReader(resolved: resolved).conditionSQL($0, in: core) }
  }

  /// A key for an index whose condition finds the rows: a column that the statement reads, or the rowid, which takes no
  /// space.
  private func keyOfAny(for conditions: [String]) -> Key {
    let term = source.terms.first { $0.indexCondition == conditions[0] }
    // The column's only value takes less space, and the rowids follow it in order.
    let constant = term.flatMap { $0.isEquality ? $0.columns.first : nil }
    let column =
      constant ?? table.rowIDAlias ?? term?.columns.first ?? source.columns.first { table.column($0) != nil }
      ?? table.columns.first?.name ?? ""
    return Key(column: column, sql: column.quotedIdentifier)
  }
}
