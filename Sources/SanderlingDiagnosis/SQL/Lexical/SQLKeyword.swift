/// SQLite's keywords.
enum SQLKeyword {
  /// The keyword for an unquoted name, in capitals; nil for other names.
  static func keyword(_ word: String) -> String? {
    let capitals = word.uppercasedASCII
    return all.contains(capitals) ? capitals : nil
  }

  /// The keywords that SQLite never accepts as names.
  static let reserved: Set<String> = Set(
    """
    ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT DEFERRABLE DELETE DISTINCT \
    DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM GROUP HAVING IN INDEX INSERT INTERSECT INTO IS ISNULL JOIN LIMIT NOT NOTHING \
    NOTNULL NULL ON OR ORDER PRIMARY REFERENCES RETURNING SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE
    """.split(separator: " ").map(String.init))

  /// All keywords. SQLite accepts the unreserved ones as names where they can't be keywords.
  static let all: Set<String> = reserved.union(
    """
    ABORT ACTION AFTER ALWAYS ANALYZE ASC ATTACH BEFORE BEGIN BY CASCADE CAST COLUMN CONFLICT CROSS CURRENT CURRENT_DATE \
    CURRENT_TIME CURRENT_TIMESTAMP DATABASE DEFERRED DESC DETACH DO EACH END EXCLUDE EXCLUSIVE EXPLAIN FAIL FILTER \
    FIRST FOLLOWING FOR FULL GENERATED GLOB GROUPS IF IGNORE IMMEDIATE INDEXED INITIALLY INNER INSTEAD KEY LAST \
    LEFT LIKE MATCH MATERIALIZED NATURAL NO NULLS OF OFFSET OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING QUERY RAISE \
    RANGE RECURSIVE REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RIGHT ROLLBACK ROW ROWS SAVEPOINT TEMP TEMPORARY TIES \
    TRIGGER UNBOUNDED VACUUM VIEW VIRTUAL WINDOW WITH WITHIN WITHOUT
    """.split(separator: " ").map(String.init))
}

extension String {
  /// The text with ASCII letters in capitals and all else unchanged; SQLite compares names this way.
  var uppercasedASCII: String {
    String(decoding: utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
  }

  /// The text with ASCII letters in lower case and all else unchanged; SQLite compares names this way.
  var lowercasedASCII: String {
    String(decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }
}
