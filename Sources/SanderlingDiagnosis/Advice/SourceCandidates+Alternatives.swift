/// The indexes worth trying for conditions joined by OR.
extension SourceCandidates {
  /// One index for each branch of an OR, by itself and after what is equal in all of its rows; none when a branch can't have
  /// one.
  ///
  /// `a = ? AND (b IS NULL OR b >= ?)`: SQLite looks for each branch together with the conditions beside the OR, so that an
  /// index of `(a, b)` leads to both.
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

  /// What the conditions of one branch of an OR suggest.
  private func sequences(of branch: [TermShape]) -> [Sequence] {
    let reader = TermKeys(table: table)
    var fixed = reader.sequence(branch.filter { $0.isEquality || $0.isMembership })
    fixed.fixed = fixed.keys.count
    let ranges = reader.ranges(branch)
    return ranges.isEmpty ? [fixed] : ranges.map { fixed + $0 }
  }

  /// With the columns of what else a branch asks for, so that the entries tell whether it holds: `(a IS NULL AND b <> 'off')`.
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

  /// What is equal beside an OR: all of it, and without what other sources give.
  private var sharedBeginnings: [Sequence] {
    let reader = TermKeys(table: table)
    let equalities = source.terms.filter(\.isEquality)
    let constants = equalities.filter { !$0.isOfSources }
    var found = [reader.sequence(equalities)]
    if constants.count < equalities.count { found.append(reader.sequence(constants)) }
    return found.filter { !$0.keys.isEmpty }
  }
}
