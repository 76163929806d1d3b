import GRDB

/// Compares the values of a live query, as they were when the check was made, with a database at the same commit.
struct LiveCheck: Sendable {
  /// The SELECT that the values are compared with.
  let statement: @Sendable () throws -> SQLStatement
  /// The tables that the query reads; empty when they are unknown.
  let tables: Set<RecordType>
  /// The first difference; nil when there is none.
  let difference: @Sendable (Database) throws -> String?
}

extension LiveCheck {
  /// Compares a value with the first row of a statement.
  ///
  /// - Parameter version: The number that changes with the shown value.
  static func value<Value>(
    _ version: UInt64, tables: Set<RecordType>, statement: @escaping @Sendable () throws -> SQLStatement,
    decode: @escaping @Sendable (ResultRow) throws -> Value
  ) -> LiveCheck {
    LiveCheck(statement: statement, tables: tables) { db in
      try db.value(of: statement(), decode).version == version ? nil : "it shows another value than the SELECT returns"
    }
  }

  /// Compares a count with the rows of a statement.
  static func count(_ count: Int, of statement: SelectStatement, _ plan: RoutePlan) -> LiveCheck {
    LiveCheck(statement: { try statement.countStatement }, tables: plan.tables) { db in
      let fresh = try db.count(statement)
      return fresh == count ? nil : "it counts \(count) rows, and the SELECT \(fresh)"
    }
  }
}

extension RowStamps {
  /// Returns the first difference from rows that were just read; nil for none.
  ///
  /// - Parameter comparesVersions: Whether the rows' values are compared too, not only their identities.
  func difference(from fresh: RowStamps, comparesVersions: Bool) -> String? {
    var (shown, read) = (cursor(at: 0), fresh.cursor(at: 0))
    while shown.position < count, read.position < fresh.count {
      if !shown.hasSameKey(as: read) {
        return "row \(shown.position) is \(shown.key), and the SELECT returns \(read.key) there"
      }
      if comparesVersions, shown.version != read.version {
        return "row \(shown.position), which is \(shown.key), has other values than the SELECT returns"
      }
      shown.advance()
      read.advance()
    }
    return count == fresh.count ? nil : "it has \(count) rows, and the SELECT returns \(fresh.count)"
  }

  /// The number of rows of each version.
  var versionCounts: [UInt64: Int] {
    var counts: [UInt64: Int] = [:]
    var cursor = cursor(at: 0)
    while cursor.position < count {
      counts[cursor.version, default: 0] += 1
      cursor.advance()
    }
    return counts
  }
}

extension SQLStatement {
  /// Whether two runs at one snapshot may return different values. The statement then reads the time, random numbers or
  /// the connection's history, or depends on the order in which SQLite visits rows.
  var mayDifferByItself: Bool {
    let words = sql.asciiLowercased.utf8.split(omittingEmptySubsequences: true) { byte in
      !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) && byte != UInt8(ascii: "_")
        && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return words.contains { Self.unsteadyNames.contains(String(decoding: $0, as: UTF8.self)) }
  }

  private static let unsteadyNames: Set<String> = [
    "random", "randomblob", "changes", "total_changes", "last_insert_rowid", "current_time", "current_date",
    "current_timestamp", "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff", "sum", "total",
    "avg", "group_concat", "string_agg", "json_group_array", "json_group_object", "jsonb_group_array",
    "jsonb_group_object",
  ]
}
