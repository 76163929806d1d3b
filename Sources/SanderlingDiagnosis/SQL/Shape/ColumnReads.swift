/// The columns of each source that a statement reads anywhere.
struct ColumnReads {
  private var names: [Int: Set<String>] = [:]
  /// Sources whose columns are all read by `*`.
  private(set) var whole: Set<Int> = []

  init(of resolved: ResolvedStatement) {
    for case .column(let source, let name) in resolved.references.values { names[source, default: []].insert(name) }
    for core in resolved.cores {
      let sources = core.sources.compactMap { resolved.sources[$0] }
      // EXISTS reads no column.
      if core.role != .exists { readStars(core.syntax?.columns ?? [], of: sources) }
      readStars(core.returning, of: Array(sources.prefix(1)))
      readShared(of: sources)
    }
  }

  private mutating func readStars(_ columns: [SQLResultColumn], of sources: [ResolvedSource]) {
    for case .all(let table) in columns.map(\.kind) {
      for source in sources where table == nil || source.name.asciiLowercased == table?.key {
        whole.insert(source.id)
        names[source.id, default: []].formUnion(source.columns)
      }
    }
  }

  /// Reads the columns of USING and NATURAL on both sides.
  private mutating func readShared(of sources: [ResolvedSource]) {
    for (position, source) in sources.enumerated() {
      let join = source.syntax.join
      let shared = join.isNatural ? source.columns : join.using.map(\.text)
      for name in shared {
        let sides = sources[...position].filter { $0.hasColumn(name.asciiLowercased) }
        guard sides.count > 1 else { continue }
        for side in sides { if let column = side.column(named: name) { names[side.id, default: []].insert(column) } }
      }
    }
  }

  /// Returns the read columns in the schema's order.
  func columns(of source: ResolvedSource) -> [String] {
    let read = names[source.id] ?? []
    let known = source.columns.filter(read.contains)
    return known + read.subtracting(known).sorted()
  }
}
