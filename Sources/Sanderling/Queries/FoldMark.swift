import Foundation
import GRDB

/// How a statement reads a column of folded texts.
///
/// The column can be read where no row of it waits to be folded, which only the snapshot tells in which the statement runs. So the SQL
/// names the column, which an index serves, between two comments: the second one says which rows must not be there. Where there are
/// any, whoever prepares the statement has the same texts folded by a function in place of the column.
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

  /// A statement as it can run: its own text where no row is pending that it may read, else one in which texts are folded by the
  /// function.
  ///
  /// - Parameter isPending: Whether there is a row, told by what follows FROM. Asked once for each column.
  static func resolve(_ sql: String, isPending: (String) throws -> Bool) rethrows -> String {
    guard sql.utf8.contains(Self.opening.utf8) else { return sql }
    var answers: [String: Bool] = [:]
    var result = ""
    var rest = sql[...]
    while let start = rest.firstRange(of: opening), let middle = rest[start.upperBound...].firstRange(of: pending),
      let end = rest[middle.upperBound...].firstRange(of: end)
    {
      let rows = String(rest[middle.upperBound..<end.lowerBound])
      let isWaiting = try answers[rows] ?? isPending(rows)
      answers[rows] = isWaiting
      if isWaiting {
        let name = rest[start.upperBound..<middle.lowerBound].dropLast(FoldedColumn.nameSuffix.count + 1) + "\""
        // A cast has the affinity of the column.
        result += rest[..<start.lowerBound] + "CAST(\(FoldedColumn.fold(String(name))) AS TEXT)"
      } else {
        result += rest[..<end.upperBound]
      }
      rest = rest[end.upperBound...]
    }
    // The text as it was is found faster among the prepared ones than a copy.
    return answers.values.contains(true) ? result + rest : sql
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

extension String.UTF8View {
  fileprivate func contains(_ needle: String.UTF8View) -> Bool {
    guard let first = needle.first else { return true }
    return withContiguousStorageIfAvailable { bytes in
      bytes.withUnsafeBytes { haystack in
        guard let start = haystack.baseAddress else { return false }
        let needle = Array(needle)
        var offset = 0
        while haystack.count - offset >= needle.count,
          let found = memchr(start + offset, Int32(first), haystack.count - offset - needle.count + 1)
        {
          if memcmp(found, needle, needle.count) == 0 { return true }
          offset = UnsafeRawPointer(found) - start + 1
        }
        return false
      }
    } ?? (String(self).firstRange(of: String(needle)) != nil)
  }
}
