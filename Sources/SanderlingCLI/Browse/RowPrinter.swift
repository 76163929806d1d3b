import Foundation
import Sanderling
import SanderlingSync

/// Prints rows one after the other, without keeping them in memory.
struct RowPrinter {
  let isJSON: Bool
  /// The search that the printed rows match; nil for all rows.
  let search: BrowsedSearch?

  /// - Throws: ``BrowseError``, ``OutputError``.
  func printRows(of browsed: Browsed) async throws {
    do {
      switch browsed.content {
      case .table(let table):
        let lines = try RowLines(table.columns, holdsBlobs: table.holdsBlobs, isJSON: isJSON)
        let query = search.map(table.query(finding:)) ?? table.query
        try await table.store.read { tx in
          try tx.forEach(query) { row in
            try lines.append(row.values.dropFirst(table.hiddenCount), row.invalidTexts.map { $0 - table.hiddenCount })
          }
        }
        try lines.finish()
      case .query(let query):
        let lines = try RowLines(query.columns, holdsBlobs: query.holdsBlobs, isJSON: isJSON)
        try await query.forEach(finding: search) { try lines.append($0.values[...], $0.invalidTexts) }
        try lines.finish()
      }
    } catch let error as any CommandError {
      throw error
    } catch {
      throw BrowseError.noRows(error)
    }
  }
}

/// A buffer of lines for standard output.
private final class RowLines: Sendable {
  private struct State {
    /// Lines that aren't written yet.
    var buffer = Data()
    var rowCount = 0
    var invalidCount = 0
    var firstInvalid: (column: String, row: Int)?
  }

  private let columns: [String]
  /// The columns' names as JSON, each with its colon; empty if the lines aren't JSON.
  private let members: [String]
  private let holdsBlobs: [Bool]
  /// Guards the buffer and the counts of the rows so far.
  private let state = Lock(State())

  /// - Throws: ``BrowseError/twoColumns(_:)`` if two columns share a name, which a JSON object can't have.
  init(_ columns: [String], holdsBlobs: [Bool], isJSON: Bool) throws {
    (self.columns, self.holdsBlobs) = (columns, holdsBlobs)
    members = isJSON ? columns.map { StoredJSON.text(.text($0)) + ":" } : []
    if isJSON {
      var names: Set<String> = []
      for name in columns where !names.insert(name).inserted { throw BrowseError.twoColumns(name) }
    } else {
      try append(columns.map(\.printable).joined(separator: "\t"))
    }
  }

  /// - Parameter invalidTexts: The columns of the texts that aren't valid UTF-8.
  func append(_ values: ArraySlice<StorageValue>, _ invalidTexts: [Int]) throws {
    state.withLock { state in
      state.rowCount += 1
      state.invalidCount += invalidTexts.count
      if state.firstInvalid == nil, let first = invalidTexts.first {
        state.firstInvalid = (columns[first], state.rowCount)
      }
    }
    try append(members.isEmpty ? values.map(\.cell).joined(separator: "\t") : json(values))
  }

  private func append(_ line: String) throws {
    let isFull = state.withLock { state in
      state.buffer += line.utf8
      state.buffer.append(UInt8(ascii: "\n"))
      return state.buffer.count > 65_536
    }
    if isFull { try flush() }
  }

  /// Writes the rows that are still in the buffer.
  ///
  /// - Throws: ``BrowseError/invalidTexts(count:column:row:)`` if lines of JSON couldn't express the stored values.
  func finish() throws {
    try flush()
    let (count, first) = state.withLock { ($0.invalidCount, $0.firstInvalid) }
    if !members.isEmpty, let first {
      throw BrowseError.invalidTexts(count: count, column: first.column, row: first.row)
    }
  }

  private func flush() throws {
    try state.withLock { state in
      defer { state.buffer.removeAll(keepingCapacity: true) }
      try OutputWriter.standardOutput.write(state.buffer)
    }
  }

  /// Returns a row in the form that `sanderling sync` reads.
  private func json(_ values: ArraySlice<StorageValue>) -> String {
    var line = "{"
    for (index, value) in values.enumerated() {
      if index > 0 { line += "," }
      line += members[index] + value.json(inColumnOfBlobs: holdsBlobs[index])
    }
    return line + "}"
  }
}
