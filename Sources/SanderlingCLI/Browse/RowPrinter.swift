import Foundation
import Sanderling

/// Prints all rows of a table, one after the other, without holding them.
struct RowPrinter {
  private let table: BrowsedTable
  private let isJSON: Bool

  init(_ table: BrowsedTable, isJSON: Bool) {
    self.table = table
    self.isJSON = isJSON
  }

  /// - Throws: ``BrowseError/noRows(_:)``. A reader that has enough ends the printing, which is no error.
  func run() async throws {
    let (query, columns, hidden, isJSON) = (table.query, table.columns, table.hiddenCount, isJSON)
    do {
      try await table.store.read { tx in
        var lines = Data()
        if !isJSON { lines += Data((columns.map(\.printable).joined(separator: "\t") + "\n").utf8) }
        try tx.forEach(query) { row in
          let values = row.values.dropFirst(hidden)
          lines += isJSON ? try Self.json(columns, values) : Data(values.map(\.cell).joined(separator: "\t").utf8)
          lines.append(UInt8(ascii: "\n"))
          if lines.count > 65_536 {
            try Self.write(lines)
            lines.removeAll(keepingCapacity: true)
          }
        }
        try Self.write(lines)
      }
    } catch is ReaderIsGone {
    } catch let error as BrowseError {
      throw error
    } catch {
      throw BrowseError.noRows("\(error)")
    }
  }

  private static func json(_ columns: [String], _ values: ArraySlice<StorageValue>) throws -> Data {
    let object = Dictionary(zip(columns, values.map(\.json))) { first, _ in first }
    return try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
  }

  private struct ReaderIsGone: Error {}

  private static func write(_ data: Data) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      throw ReaderIsGone()
    }
  }
}
