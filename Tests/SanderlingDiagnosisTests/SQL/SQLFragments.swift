/// Pieces of SQL in random order, for tests that must hold for any text.
enum SQLFragments {
  private static let pieces = [
    "SELECT", "FROM", "WHERE", "values", "in", "order by", "GROUP BY", "(", ")", "(", ")", ",", ",", ".", ";", "*", "+",
    "-", "-", "/",
    "||", "->", "->>", "=", "<>", "!", "<", ">=", "~", "t", "a", "\"q\"", "\"", "[b]", "[", "`c`", "'s'", "'", "x'00'",
    "x'0", "1", "2.5",
    ".5", "1e", "0x", "0xF", "1_0", "?", "?12", ":p", ":", "@", "$x(y)", "#1", "-- c\n", "/*", "*/", "/* c */", " ",
    "\n", "…", "é", "NULL",
    "CASE", "END", "CREATE TRIGGER", "BEGIN", "EXISTS", "not", "IS", "limit", "AND", "\u{0}", "\u{FEFF}", "BETWEEN",
    "JOIN", "ON", "AS",
    "WITH", "UNION ALL", "OVER", "LIKE", "INSERT INTO", "UPDATE", "SET", "DELETE FROM", "LEFT", "count(*)", "\u{B}",
    "COLLATE", "IN (1, 2)",
  ]

  static func random(using random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...24, using: &random)).map { _ in
      pieces.randomElement(using: &random)! + (Bool.random(using: &random) ? " " : "")
    }.joined()
  }
}
