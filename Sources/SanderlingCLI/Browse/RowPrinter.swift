import Foundation
import Sanderling

/// Prints rows one after the other, without keeping them in memory.
struct RowPrinter {
  enum Format: Equatable {
    case csv, json
  }

  let format: Format
  /// The search that the printed rows match; nil for all rows.
  let search: BrowsedSearch?
  /// Whether standard output is a terminal, which control characters would steer.
  let isForTerminal: Bool

  /// - Throws: ``BrowseError``, ``OutputError``.
  func printRows(of browsed: Browsed) async throws {
    do {
      switch browsed.content {
      case .table(let table):
        let lines = try RowLines(table.columns, table.forms, self)
        let query = search.map(table.query(finding:)) ?? table.query
        try await table.store.read { tx in
          try tx.forEach(query) { row in
            try lines.append(row.values.dropFirst(table.hiddenCount), row.invalidTexts.map { $0 - table.hiddenCount })
          }
        }
        try lines.finish()
      case .query(let query):
        let lines = try RowLines(query.columns, query.forms, self)
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
  /// The values of one kind that the format can't express.
  private struct Losses {
    var count = 0
    var first: (column: String, row: Int)?

    mutating func add(_ columns: some Collection<String>, row: Int) {
      count += columns.count
      if first == nil, let column = columns.first { first = (column, row) }
    }
  }

  private struct State {
    /// Lines that aren't written yet.
    var buffer = Data()
    var rowCount = 0
    var invalidTexts = Losses()
    var ambiguous = Losses()
  }

  private let columns: [String]
  private let forms: [ColumnForm]
  /// The columns' names as JSON, each with its colon; empty if the lines aren't JSON.
  private let members: [String]
  /// The writer of comma-separated values; nil if the lines are JSON.
  private let csv: CSVRow?
  /// Guards the buffer and the counts of the rows so far.
  private let state = Lock(State())

  /// - Throws: ``BrowseError/twoColumns(_:)`` if two columns share a name, which a JSON object can't have.
  init(_ columns: [String], _ forms: [ColumnForm], _ printer: RowPrinter) throws {
    (self.columns, self.forms) = (columns, forms)
    switch printer.format {
    case .json:
      csv = nil
      members = columns.map { StorageValue.text($0).json(inColumnOfBlobs: false) + ":" }
      var names: Set<String> = []
      for name in columns where !names.insert(name).inserted { throw BrowseError.twoColumns(name) }
    case .csv:
      members = []
      let csv = CSVRow(forms: forms, isForTerminal: printer.isForTerminal)
      self.csv = csv
      try append(csv.line(names: columns))
    }
  }

  /// - Parameter invalidTexts: The columns of the texts that aren't valid UTF-8.
  func append(_ values: ArraySlice<StorageValue>, _ invalidTexts: [Int]) throws {
    let ambiguous = csv == nil ? [] : zip(forms, values).enumerated().filter { $1.0.isAmbiguous($1.1) }.map(\.offset)
    state.withLock { state in
      state.rowCount += 1
      state.invalidTexts.add(invalidTexts.map { columns[$0] }, row: state.rowCount)
      state.ambiguous.add(ambiguous.map { columns[$0] }, row: state.rowCount)
    }
    try append(csv?.line(values) ?? json(values))
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
  /// - Throws: ``BrowseError/invalidTexts(count:column:row:)`` and ``BrowseError/ambiguous(count:column:row:)`` if the
  ///   lines can't express some stored values.
  func finish() throws {
    try flush()
    let (invalid, ambiguous) = state.withLock { ($0.invalidTexts, $0.ambiguous) }
    if let first = invalid.first {
      throw BrowseError.invalidTexts(count: invalid.count, column: first.column, row: first.row)
    }
    if let first = ambiguous.first {
      throw BrowseError.ambiguous(count: ambiguous.count, column: first.column, row: first.row)
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
      line += members[index] + value.json(inColumnOfBlobs: forms[index] == .blobs)
    }
    return line + "}"
  }
}
