/// The fixed costs of indexes, in the unit of `ExecutionCost`.
struct IndexPrice {
  let advisor: IndexAdvisor
  let writes: WorkloadWrites

  /// The cost of a further page, which must be stored, read and copied.
  private static let stepsPerPage = 2.0

  /// The costs of indexes. `pages` returns the size of a built index; other sizes are estimated. O(indexes).
  func of(_ indexes: some Collection<IndexCandidate>, pages: (IndexCandidate) -> Int64?) -> Double {
    let size = indexes.reduce(0.0) { $0 + Double(pages($1) ?? self.pages(of: $1)) }
    return size * Self.stepsPerPage
      + writes.assumedInsertions * Double(indexes.count) * WorkloadWrites.stepsPerIndexEntry
  }

  /// The estimated number of pages, from the values of a sample.
  private func pages(of index: IndexCandidate) -> Int64 {
    let rows = advisor.schema.table(index.table)?.rowCount ?? 0
    let entry = index.keys.reduce(8.0) {
      $0 + 1 + ($1.column.map { advisor.facts.width(of: $0, in: index.table) } ?? 16)
    }
    return Int64(clamping: min(Double(rows) * entry / Double(max(512, advisor.copy.header.pageSize)), 1e12))
  }
}
