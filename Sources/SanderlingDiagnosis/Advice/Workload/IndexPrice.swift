/// What indexes cost by being there, in the measure of `ExecutionCost`.
struct IndexPrice {
  let advisor: IndexAdvisor
  let writes: WorkloadWrites

  /// What a page more costs: it has to be kept, read and copied.
  private static let stepsPerPage = 2.0

  /// `pages` knows the sizes of those that were built; those of others are estimated. O(indexes).
  func of(_ indexes: some Collection<IndexCandidate>, pages: (IndexCandidate) -> Int64?) -> Double {
    let size = indexes.reduce(0.0) { $0 + Double(pages($1) ?? self.pages(of: $1)) }
    return size * Self.stepsPerPage
      + writes.assumedInsertions * Double(indexes.count) * WorkloadWrites.stepsPerIndexEntry
  }

  /// Estimated from the values of a sample.
  private func pages(of index: IndexCandidate) -> Int64 {
    let rows = advisor.schema.table(index.table)?.rowCount ?? 0
    let entry = index.keys.reduce(8.0) {
      $0 + 1 + ($1.column.map { advisor.facts.width(of: $0, in: index.table) } ?? 16)
    }
    return Int64(clamping: min(Double(rows) * entry / Double(max(512, advisor.copy.header.pageSize)), 1e12))
  }
}
