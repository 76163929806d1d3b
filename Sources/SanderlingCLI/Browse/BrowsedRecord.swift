import Sanderling

/// The row that is shown as a record. Its whole values are read for as long as it is shown.
@MainActor
final class BrowsedRecord {
  private let table: BrowsedTable
  /// The key of the row; nil while the row of a key that was pressed isn't known yet.
  private(set) var key: BrowsedRow.Key?
  private var page: RecordPage?
  /// The key of the row whose values are shown, and the place of this row.
  private var shown: (key: BrowsedRow.Key, place: String)?
  /// Why there are no values.
  private var problem: String?
  private var reading: Task<Void, Never>?
  private var isReading = false
  /// The number of noticed changes before the values were read.
  private var changeCount = 0

  init(_ table: BrowsedTable) {
    self.table = table
  }

  /// Forgets the row. The next chosen row is shown in its place.
  func forget() {
    reading?.cancel()
    key = nil
  }

  /// Shows a row, and reads it again after a change of the database.
  func show(_ key: BrowsedRow.Key, afterChanges changeCount: Int) {
    if key == self.key, changeCount == self.changeCount || isReading { return }
    (self.key, self.changeCount) = (key, changeCount)
    reading?.cancel()
    isReading = true
    reading = Task { [weak self, table] in
      let result: Result<[StorageValue]?, any Error>
      do {
        result = .success(try await table.wholeRow(key))
      } catch {
        result = .failure(error)
      }
      guard !Task.isCancelled, let self else { return }
      isReading = false
      shown = (key, "")
      take(result)
    }
  }

  private func take(_ result: Result<[StorageValue]?, any Error>) {
    switch result {
    case .success(let values?):
      page = page?.replaced(by: values) ?? RecordPage(names: table.columns, values: values)
      problem = nil
    case .success(nil): problem = "This row was deleted."
    case .failure(let error): problem = BrowseError.noRows(error).description
    }
  }

  /// Changes the visible lines.
  func move(_ change: (inout RecordPage) -> Void) {
    guard var page else { return }
    page.fit(TerminalScreen.size)
    change(&page)
    self.page = page
  }

  func end() { reading?.cancel() }

  /// - Parameter row: The row's place among all rows.
  func frame(row: String) -> RecordFrame {
    // Until the values of another row are read, the former row is shown with its place.
    if shown == nil || shown?.key == key { shown?.place = row }
    let row = shown?.place ?? row
    let keys = "escape goes back, p and n show other rows, ? keys"
    if let problem {
      let lines = problem.wrapped(toWidth: max(1, TerminalScreen.size.columns))
      return RecordFrame(lines: lines.map { .init(text: $0, isTitle: false) }, status: "\(row)   \(keys)")
    }
    guard var page else {
      return RecordFrame(lines: [.init(text: "reading…", isTitle: false)], status: "\(row)   \(keys)")
    }
    page.fit(TerminalScreen.size)
    let lines = page.visibleLines()
    self.page = page
    return RecordFrame(lines: lines, status: "\(row), \(page.place)   \(keys)")
  }
}
