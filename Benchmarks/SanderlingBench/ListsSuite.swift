import Sanderling

/// Lists of any length: long live lists, and pages of a million notes.
struct ListsSuite: BenchmarkSuite {
  static let name = "lists"
  private let folder: String
  private let counts: [Int]

  /// For each number of notes, the cases that measure its pages. They are created with the first of them.
  private let pages: [[BenchmarkCase]]

  init(folder: String, isShort: Bool) async throws {
    self.folder = folder
    counts = isShort ? [1_000] : [10_000, 100_000, 1_000_000]
    var pages: [[BenchmarkCase]] = []
    for count in counts {
      let path = "\(folder)/notes-\(count).sqlite"
      try await Notes.store(path, count: count).close()
      let depths = count == counts.last ? [100, 1_000, 10_000, 100_000] : []
      pages.append(try await NotePages(path: path, count: count, depths: depths).cases)
    }
    self.pages = pages
  }

  var works: [BenchmarkWork.Plan] {
    pages.joined().map { page in .init(page.name) { BenchmarkWork(page) } }
      + counts.map { count in
        .init("long-\(count)") { try await LongLists(folder: folder, count: count).work() }
      }
  }
}
