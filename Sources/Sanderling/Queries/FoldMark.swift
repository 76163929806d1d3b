import Foundation
import GRDB

/// The mark of a column of folded texts in a statement.
///
/// The column can be read if no row waits to be folded. Only the snapshot in which the statement runs shows whether
/// rows wait. So the SQL names the column, which an index serves, between two comments. The second comment names the
/// rows that must not exist. If such rows exist, the preparation of the statement replaces the column by a function
/// that folds the texts.
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

  /// Whether names of a table or column can't stand in a comment.
  static func canHold(_ name: String) -> Bool { !name.contains(end) && !name.utf8.contains(0) }

  /// A statement in the form in which it can run: unchanged if no pending row exists that it may read, otherwise with a
  /// function in place of the column.
  ///
  /// - Parameter isPending: Whether a row exists, given the SQL after FROM. Asked once for each column.
  static func resolve(_ sql: String, isPending: (String) throws -> Bool) rethrows -> String {
    guard let first = sql.utf8.withContiguousStorageIfAvailable({ $0.offset(of: opening.utf8, from: 0) }) ?? 0 else {
      return sql
    }
    // By bytes: searching a text by its characters takes as long as running a short statement.
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
          // A cast has the affinity of the column.
          result += text(copied..<start) + "CAST(\(FoldedColumn.fold(name)) AS TEXT)"
          copied = end + Self.end.utf8.count
        }
        next = bytes.offset(of: opening.utf8, from: end)
      }
      // The text as it was is found faster among the prepared ones than a copy.
      return copied == 0 ? sql : result + text(copied..<bytes.count)
    }
  }
}

extension Database {
  /// A statement as it can run in the present snapshot.
  ///
  /// - Parameter foldsArePending: Called where rows wait to be folded that it would read.
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
  /// Where the other bytes begin next, from an offset on. O(bytes) where the first of them is rare.
  fileprivate func offset(of other: String.UTF8View, from: Int) -> Int? {
    guard let first = other.first, let start = baseAddress else { return nil }
    let length = other.count
    var offset = from
    while count - offset >= length, let found = memchr(start + offset, Int32(first), count - offset - length + 1) {
      offset = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - start
      if self[offset..<offset + length].elementsEqual(other) { return offset }
      offset += 1
    }
    return nil
  }
}
