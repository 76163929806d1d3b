/// Requests batches from a source one at a time, for the tasks of a pull.
actor BatchReader {
  private var batches: any AsyncIteratorProtocol<SyncBatch, any Error>
  private let look: PollCounter?

  init(_ source: any SyncSource, after cursor: String?, _ look: PollCounter?) {
    batches = source.batches(after: cursor).makeAsyncIterator()
    self.look = look
  }

  /// - Returns: Nil after the last batch.
  func next() async throws -> SyncBatch? {
    look?.begin()
    let batch = try await batches.next(isolation: self)
    if batch != nil { look?.received() }
    return batch
  }
}
