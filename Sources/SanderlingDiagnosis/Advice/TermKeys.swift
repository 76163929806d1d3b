/// Makes keys of an index from the terms of a condition.
struct TermKeys {
  let table: TableSchema

  typealias Key = IndexCandidate.Key
  typealias Sequence = SourceCandidates.Sequence

  func sequence(_ terms: [TermShape]) -> Sequence {
    terms.reduce(Sequence(keys: [], purposes: [])) { sequence, term in
      guard let key = key(of: term) else { return sequence }
      return sequence + Sequence(keys: [key], purposes: purposes(of: term))
    }
  }

  /// One sequence for each column or expression that is compared with a range; row values are one sequence.
  func ranges(_ terms: [TermShape]) -> [Sequence] {
    var found: [Sequence] = []
    var rows: [Range<Int>: [TermShape]] = [:]
    for term in terms {
      switch term.kind {
      case .range where term.rowPosition != nil: rows[term.range, default: []].append(term)
      case .range, .pattern:
        let sequence = sequence([term])
        if !sequence.keys.isEmpty { found.append(sequence) }
      default: break
      }
    }
    for row in rows.sorted(by: { $0.key.lowerBound < $1.key.lowerBound }).map(\.value) {
      let sequence = sequence(row.sorted { $0.rowPosition ?? 0 < $1.rowPosition ?? 0 })
      if !sequence.keys.isEmpty { found.insert(sequence, at: 0) }
    }
    var seen: Set<[Key]> = []
    return found.filter { seen.insert($0.keys).inserted }
  }

  private func key(of term: TermShape) -> Key? {
    guard let key = term.key, !key.isRowid, term.value != .sameSource else { return nil }
    switch term.kind {
    case .pattern(let name, let prefix):
      // A pattern that begins with a wildcard can match anywhere. An unknown pattern may have a fixed beginning.
      guard prefix != "", name == "LIKE" || name == "GLOB" else { return nil }
      return self.key(key, collation: name == "LIKE" ? "NOCASE" : "BINARY")
    case .truth, .other, .isNotNull: return nil
    case .equality, .membership, .range, .isNull: return self.key(key, collation: term.collation)
    }
  }

  /// A key in a collation. The collation is left out if it is the column's own.
  func key(_ key: KeyShape, collation: String, isDescending: Bool = false) -> Key {
    let column = key.isColumn ? key.columns.first : nil
    let own = column.flatMap(table.column)?.collation ?? "BINARY"
    return Key(
      column: column, sql: key.sql, collation: own.asciiLowercased == collation.asciiLowercased ? nil : collation,
      isDescending: isDescending)
  }

  private func purposes(of term: TermShape) -> Set<IndexCandidate.Purpose> {
    var purposes: Set<IndexCandidate.Purpose> =
      switch term.value {
      case .sources: [.join]
      case .outer: [.outerValue]
      default: [.filter]
      }
    if case .pattern = term.kind {
      purposes.insert(.pattern)
    } else if term.collation.asciiLowercased == "nocase", let key = term.key, key.isColumn,
      table.column(key.columns[0])?.collation.asciiLowercased != "nocase"
    {
      purposes.insert(.caseInsensitive)
    }
    return purposes
  }
}
