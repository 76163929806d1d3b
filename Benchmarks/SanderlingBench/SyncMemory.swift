import Foundation
import Sanderling
import SanderlingSync

/// The growth of a process's memory while notes are pulled and live results follow them, and after several
/// synchronisations.
struct SyncMemory {
  let folder: String
  let count: Int
  let resultCount: Int

  /// The parts of the notes in percent. The greatest resident memory within each part is a figure, so the figures form
  /// a curve.
  private static let parts: [Range<Int>] = {
    let ends = [1, 2, 5] + Array(stride(from: 10, through: 100, by: 10))
    return zip([0] + ends, ends).map { $0..<$1 }
  }()

  var work: BenchmarkWork {
    let (count, resultCount) = (count, resultCount)
    let totals: [BenchmarkWork.Figure] = [
      .init(name: "\(count) notes with \(resultCount) lists and counts: most allocated above idle", unit: .bytes),
      .init(name: "the same, the first tenth of them", unit: .bytes),
      .init(name: "the same, resident at most above idle", unit: .bytes),
      .init(name: "the write-ahead log at most", unit: .bytes),
      .init(name: "resident after ten synchronisations above that after two", unit: .bytes),
    ]
    let curve = Self.parts.map { part in
      BenchmarkWork.Figure(
        name: "resident above idle up to note \(count * part.upperBound / 100)", unit: .bytes)
    }
    return BenchmarkWork(
      figures: totals + curve,
      sanderling: .init(name: "Sanderling") {
        let path = "\(folder)/memory-\(UUID().uuidString).sqlite"
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let store = try Store(path: path, schema: [SyncedWords.self])
        let handles = LiveHandles()
        try await handles.open(on: store) { SyncResults.open(resultCount, on: $0) }
        let idle = (allocated: ProcessFigures.allocatedBytes, resident: ProcessFigures.residentBytes)
        let most = Lock((first: 0.0, allocated: 0.0, resident: 0.0, log: 0.0))
        let pages = Lock<[(note: Int, bytes: Double)]>([])
        let source = NoteSource(count: count) { page in
          let bytes = ProcessFigures.allocatedBytes - idle.allocated
          let resident = ProcessFigures.residentBytes - idle.resident
          let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
          let log = Double(attributes?[.size] as? Int ?? 0)
          most.withLock { most in
            if page * NoteSource.pageSize <= count / 10 { most.first = max(most.first, bytes) }
            most.allocated = max(most.allocated, bytes)
            most.resident = max(most.resident, resident)
            most.log = max(most.log, log)
          }
          pages.withLock { $0.append((page * NoteSource.pageSize, resident)) }
        }
        try await SyncSession("notes", store: store, records: [SyncedRecord(SyncedWords.self)], source: source).run()
        try await handles.awaitCurrent(on: store)
        var afterTwo = 0.0
        for number in 1...9 {
          try await SyncSession(
            "again \(number)", store: store, records: [SyncedRecord(SyncedWords.self)],
            source: NoteSource(count: count / 10)
          ).run()
          if number == 1 { afterTwo = ProcessFigures.residentBytes }
        }
        let growth = ProcessFigures.residentBytes - afterTwo
        await handles.close()
        try store.close()
        let figures = most.withLock { $0 }
        let points = pages.withLock { $0 }
        // A part without a page, as with few notes, has no figure.
        let residents: [Double?] = Self.parts.map { part in
          points.filter { part.contains($0.note * 100 / count) }.map { $0.bytes }.max()
        }
        return [figures.allocated, figures.first, figures.resident, figures.log, growth] + residents
      }, limit: nil, peers: [], rounds: 1, warmsUp: false)
  }
}
