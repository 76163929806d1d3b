/// Candidates for conditions joined by OR.
extension SourceCandidates {
  /// For each branch of an OR, an index by itself, and an index that begins with the columns of equalities beside the
  /// OR. None if a branch can have no index.
  ///
  /// `a = ? AND (b IS NULL OR b >= ?)`: SQLite searches for each branch together with the conditions beside the OR. So
  /// an index of `(a, b)` serves both branches.
  func alternatives() -> [IndexCandidate] {
    let shared = sharedBeginnings
    return source.alternatives.flatMap { alternatives -> [IndexCandidate] in
      guard alternatives.isOfOneSource || alternatives.branches.allSatisfy({ !$0.isEmpty }) else { return [] }
      var found: [IndexCandidate] = []
      for branch in alternatives.branches {
        if branch.contains(where: { $0.key?.isRowid == true }) { continue }
        let sequences = Array(sequences(of: branch).prefix(2))
        guard let first = sequences.first, !first.keys.isEmpty else { return [] }
        for beginning in [Sequence(keys: [], purposes: [])] + shared {
          found += sequences.map { sequence in
            var whole = beginning + sequence
            whole.purposes.insert(.alternative)
            whole.fixed = min(whole.keys.count, beginning.keys.count + sequence.fixed)
            return candidate(whole)
          }
          found += sequences.compactMap { reading(branch, beginning + $0) }
        }
      }
      return found
    }
  }

  /// The sequences for the conditions of one branch of an OR.
  private func sequences(of branch: [TermShape]) -> [Sequence] {
    let reader = TermKeys(table: table)
    var fixed = reader.sequence(branch.filter { $0.isEquality || $0.isMembership })
    fixed.fixed = fixed.keys.count
    let ranges = reader.ranges(branch)
    return ranges.isEmpty ? [fixed] : ranges.map { fixed + $0 }
  }

  /// The index of a sequence, with the columns of the branch's other conditions. So its entries show whether the branch
  /// holds: `(a IS NULL AND b <> 'off')`.
  private func reading(_ branch: [TermShape], _ sequence: Sequence) -> IndexCandidate? {
    let columns = branch.filter { $0.kind == .other || $0.kind == .isNotNull || $0.value == .sameSource }.flatMap(
      \.columns)
    let missing = columns.reduce(into: [String]()) { missing, column in
      if !sequence.keys.contains(where: { $0.column == column }), !missing.contains(column) { missing.append(column) }
    }
    var index = candidate(sequence, reading: missing)
    index?.purposes.insert(.alternative)
    return index
  }

  /// The keys of equalities beside an OR: of all equalities, and of those with constants only.
  private var sharedBeginnings: [Sequence] {
    let reader = TermKeys(table: table)
    let equalities = source.terms.filter(\.isEquality)
    let constants = equalities.filter { !$0.isOfSources }
    var found = [reader.sequence(equalities)]
    if constants.count < equalities.count { found.append(reader.sequence(constants)) }
    return found.filter { !$0.keys.isEmpty }
  }
}
