import Foundation
import GRDB

/// A mark around a column of folded texts in a statement.
///
/// The column can be read if no row waits to be folded. Only the snapshot in which the statement runs shows whether
/// rows wait. So the SQL names the column, which an index serves, between two comments. The second comment names the
/// rows that must not exist. If such rows exist, preparing the statement replaces the column by a function that folds
/// the texts.
struct FoldMark {
  /// The text's column with its table's alias.
  let text: String
  /// The folded column with its table's alias.
  let folded: String
  let column: FoldedColumn
  let table: String

  private static let opening = "/*folded*/"
  private static let pending = "/*unless "
  private static let end = "*/"

  var sql: String {
    let name = column.name.quotedIdentifier
    return
      "\(Self.opening)\(folded)\(Self.pending)\(table.quotedIdentifier) WHERE \(name) = \(FoldedColumn.pendingSQL)\(Self.end)"
  }

  /// Whether a comment can contain the name of a table or column.
  static func canHold(_ name: String) -> Bool { !name.contains(end) && !name.utf8.contains(0) }

  /// The statement that can run: unchanged if it reads no row that waits to be folded, otherwise with a function in
  /// place of the column.
  ///
  /// - Parameter isPending: Returns whether a row exists, given the SQL after FROM. Called once for each column.
  static func resolve(_ sql: String, isPending: (String) throws -> Bool) rethrows -> String {
    guard let first = sql.utf8.withContiguousStorageIfAvailable({ $0.offset(of: opening.utf8, from: 0) }) ?? 0 else {
      return sql
    }
    // Searches bytes, since a search by characters takes as long as running a short statement.
    return try Array(sql.utf8).withUnsafeBufferPointer { bytes in
      func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
      var answers: [String: Bool] = [:]
      var result = ""
      var copied = 0
      var next = bytes.offset(of: opening.utf8, from: first)
      while let start = next, let middle = bytes.offset(of: pending.utf8, from: start),
        let end = bytes.offset(of: end.utf8, from: middle)
      {
        let rows = text(middle + pending.utf8.count..<end)
        let isWaiting = try answers[rows] ?? isPending(rows)
        answers[rows] = isWaiting
        if isWaiting {
          let name = text(start + opening.utf8.count..<middle - FoldedColumn.nameSuffix.utf8.count - 1) + "\""
          // The cast gives the expression the affinity of the column.
          result += text(copied..<start) + "CAST(\(FoldedColumn.fold(name)) AS TEXT)"
          copied = end + Self.end.utf8.count
        }
        next = bytes.offset(of: opening.utf8, from: end)
      }
      // The unchanged text is found faster among the prepared statements than a copy.
      return copied == 0 ? sql : result + text(copied..<bytes.count)
    }
  }
}

extension Database {
  /// The statement that can run in the current snapshot.
  ///
  /// - Parameter foldsArePending: Called if the statement would read rows that wait to be folded.
  func resolvingFolds(_ sql: String, _ foldsArePending: () -> Void) throws -> String {
    try FoldMark.resolve(sql) { rows in
      let isPending = try hasRows(in: rows)
      if isPending { foldsArePending() }
      return isPending
    }
  }

  private func hasRows(in rows: String) throws -> Bool {
    try Bool.fetchOne(cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM main.\(rows))")) ?? false
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The next place at which the other bytes begin, from an offset on. O(bytes) if their first byte is rare.
  fileprivate func offset(of other: String.UTF8View, from: Int) -> Int? {
    guard let first = other.first, let start = baseAddress else { return nil }
    let length = other.count
    var offset = from
    while count - offset >= length, let found = memchr(start + offset, Int32(first), count - offset - length + 1) {
      // Safe: `memchr` returns an address inside this buffer, whose memory is bound to UInt8.
      offset = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - start
      if self[offset..<offset + length].elementsEqual(other) { return offset }
      offset += 1
    }
    return nil
  }
}
