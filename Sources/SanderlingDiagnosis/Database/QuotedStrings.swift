import SanderlingSQL

/// Rewrites strings in double quotes as strings in single quotes.
///
/// SQLite reads `"alice@example.org"` as a string if no column has that name. Each part of this module that looks for
/// values would need the schema to distinguish such a string from a name. So strings are rewritten once, before any
/// other part reads the statement.
struct QuotedStrings {
  let connection: SQLiteConnection
  let schema: DatabaseSchema
  private let names: SQLNames

  /// The number of suspects to try one by one if not all of them are strings.
  private static let mostSuspects = 100

  init(connection: SQLiteConnection, schema: DatabaseSchema) {
    (self.connection, self.schema) = (connection, schema)
    names = connection.names ?? schema.names
  }

  /// Returns the statement with single quotes around its strings. A statement without double-quoted strings is
  /// unchanged.
  ///
  /// SQLite must compile both forms to the same program; otherwise the form is not used.
  func rewritten(_ sql: String) throws -> String {
    let text = SQLText(sql)
    let suspects = suspects(in: text)
    guard !suspects.isEmpty else { return sql }
    guard let program = try program(of: sql) else { return sql }
    let all = Self.replacing(suspects, in: text)
    if try self.program(of: all) == program { return all }
    let strings = try suspects.prefix(Self.mostSuspects).filter {
      try self.program(of: Self.replacing([$0], in: text)) == program
    }
    return Self.replacing(strings, in: text)
  }

  /// Returns the texts in double quotes that may be strings, according to the parser and the schema.
  private func suspects(in text: SQLText) -> [Range<Int>] {
    let sql = text[text.bytes.indices]
    guard SQLTokenizer(text).contains(where: { $0.kind == .doubleQuoted }) else { return [] }
    let parsed = (try? ShapeReader.shape(of: sql, in: schema.description))?.strings ?? []
    return names.values(in: text).union(parsed).sorted { $0.lowerBound < $1.lowerBound }
  }

  private static func replacing(_ ranges: [Range<Int>], in text: SQLText) -> String {
    var rewriter = SQLRewriter(text)
    for range in ranges { rewriter.replace(range, with: text[range].withoutQuotes.quotedLiteral) }
    return rewriter.rewritten()
  }

  /// Returns the bytecode of a statement; nil if SQLite refuses the statement.
  private func program(of sql: String) throws -> [[BoundValue]]? {
    do {
      let statement = try connection.prepareReadingOrWriting("EXPLAIN " + sql)
      var program: [[BoundValue]] = []
      while try statement.step() { program.append(statement.row) }
      return program
    } catch let error as DiagnosisError {
      if error.endsDiagnosis { throw error }
      return nil
    }
  }
}
