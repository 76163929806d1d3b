import Sanderling

/// Live results: their cost for writes that concern them and for writes that don't, and the delay until they show a
/// write.
///
/// Before each measurement every list is current and was accessed on the main actor. Processor time is that of the
/// whole process until everything is delivered.
struct LiveSuite: BenchmarkSuite {
  static let name = "live"
  private let data: LiveData

  init(folder: String, isShort: Bool) async throws {
    data = try await LiveData(folder: folder, isShort: isShort)
  }

  var works: [BenchmarkWork.Plan] {
    unaffected + delivery + summaries + bursts + imports + memory + opening + rows
  }

  private var unaffected: [BenchmarkWork.Plan] {
    LiveMixture.each.flatMap { mixture in
      // The smaller number of lists is enough for single kinds.
      (mixture == .all
        ? data.listCounts.few + [data.listCounts.some, data.listCounts.many] : [data.listCounts.some])
        .map { count in
          .init("unaffected-\(count)-\(mixture.name)") {
            try await LiveUnaffected(data: data, mixture: mixture, count: count).work()
          }
        }
    }
  }

  private var delivery: [BenchmarkWork.Plan] {
    (data.isShort ? [1, 10] : [1, 10, 100]).map { affected in
      .init("delivery-\(affected)") { try await LiveDelivery(data: data, affected: affected).work() }
    }
  }

  private var summaries: [BenchmarkWork.Plan] {
    [50, data.manyProjectCount].map { window in
      .init("summaries-\(window)") { try await LiveSummaries(data: data, window: window).work() }
    }
  }

  private var bursts: [BenchmarkWork.Plan] {
    [true, false].map { isIndexed in
      .init("burst-\(isIndexed ? "indexed" : "unindexed")") {
        try await LiveBurst(data: data, isIndexed: isIndexed).work()
      }
    }
  }

  private var imports: [BenchmarkWork.Plan] {
    [(data.taskCount, false), (data.taskCount / 20, true)].map { rowCount, hasObservations in
      .init("import-\(rowCount)") {
        try await LiveImport(data: data, rowCount: rowCount, hasObservations: hasObservations).work()
      }
    }
  }

  private var memory: [BenchmarkWork.Plan] {
    [
      .init("memory-counts", make: LiveMemory(data: data).counts),
      .init("memory-windows", make: LiveMemory(data: data).windows),
      .init("memory-two-rows", make: LiveTwoRows(data: data).work),
    ]
  }

  private var opening: [BenchmarkWork.Plan] {
    [
      .init("opening-one", make: LiveOpening(data: data).one),
      .init("opening-\(data.observationCount)", make: LiveOpening(data: data).some),
      .init("opening-\(data.listCounts.many)", make: LiveOpening(data: data).many),
    ]
  }

  private var rows: [BenchmarkWork.Plan] {
    data.rowCounts.map { count in .init("rows-\(count)", make: LiveRowCount(data: data, rowCount: count).opening) }
      + data.rowCounts.suffix(2).map { count in
        .init("rows-\(count)-changes", make: LiveRowCount(data: data, rowCount: count).changes)
      }
  }
}
