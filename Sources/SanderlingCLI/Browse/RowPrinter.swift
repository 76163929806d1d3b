import Foundation
import Sanderling

/// Prints rows one after the other, without holding them.
struct RowPrinter {
  let isJSON: Bool
  /// What the rows have that are printed; nil for all.
  let search: BrowsedSearch?

  /// - Throws: ``BrowseError/noRows(_:)``. A reader that has enough ends the printing, which is no error.
  func print(_ browsed: Browsed) async throws {
    do {
      switch browsed {
      case .table(let table):
        let lines = try RowLines(table.columns, isJSON: isJSON)
        let query = search.map(table.query(finding:)) ?? table.query
        try await table.store.read { tx in
          try tx.forEach(query) { try lines.append($0.values.dropFirst(table.hiddenCount)) }
        }
        try lines.flush()
      case .query(let query):
        let lines = try RowLines(query.columns, isJSON: isJSON)
        try await query.forEach(finding: search) { try lines.append($0[...]) }
        try lines.flush()
      }
    } catch is RowLines.ReaderIsGone {
    } catch {
      throw BrowseError.noRows("\(error)")
    }
  }
}

/// Lines of rows on their way to standard output.
private final class RowLines: Sendable {
  struct ReaderIsGone: Error {}

  private let columns: [String]
  private let isJSON: Bool
  /// Guards what isn't written yet.
  private let buffer = Lock(Data())

  init(_ columns: [String], isJSON: Bool) throws {
    (self.columns, self.isJSON) = (columns, isJSON)
    if !isJSON { try append(Data(columns.map(\.printable).joined(separator: "\t").utf8)) }
  }

  func append(_ values: ArraySlice<StorageValue>) throws {
    try append(isJSON ? Self.json(columns, values) : Data(values.map(\.cell).joined(separator: "\t").utf8))
  }

  private func append(_ line: Data) throws {
    let isFull = buffer.withLock { buffer in
      buffer += line
      buffer.append(UInt8(ascii: "\n"))
      return buffer.count > 65_536
    }
    if isFull { try flush() }
  }

  func flush() throws {
    try buffer.withLock { buffer in
      defer { buffer.removeAll(keepingCapacity: true) }
      do {
        try FileHandle.standardOutput.write(contentsOf: buffer)
      } catch {
        throw ReaderIsGone()
      }
    }
  }

  private static func json(_ columns: [String], _ values: ArraySlice<StorageValue>) throws -> Data {
    let object = Dictionary(zip(columns, values.map(\.json))) { first, _ in first }
    return try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
  }
}
