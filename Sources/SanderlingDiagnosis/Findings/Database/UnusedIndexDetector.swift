import SanderlingSQL
import SanderlingTerminal

/// Finds indexes of the workload's tables that no statement of the workload reads.
///
/// Only a log or a trace shows the statements of an app. Some statements on the command line prove nothing, because
/// other statements of the app may need the indexes.
struct UnusedIndexDetector: DatabaseDetector {
  /// The least number of different statements on a table in a log. Fewer statements prove nothing about the other
  /// statements of the app.
  static let leastStatements = 3
  /// The least number of executions in a log.
  static let leastExecutions = 100

  func findings(for statements: [AnalyzedStatement], in context: DetectorContext) throws -> [Finding] {
    let logged = statements.filter(\.statement.isLogged)
    let executions = logged.reduce(0) { $0.addingClamped($1.statement.count) }
    guard executions >= Self.leastExecutions else { return [] }
    let overlapping = Set(OverlappingIndexDetector.overlaps(in: context.schema).map(\.index.name))
    // A rewrite may read an index that the statement doesn't read.
    let forms = (context.ledger?.entries ?? [:]).values.joined().map(\.statement)
    return context.schema.tables.flatMap { table -> [Finding] in
      let own = logged.filter { $0.concerns(table.name) }
      guard own.count >= Self.leastStatements else { return [] }
      return table.indexes.filter { index in
        index.canBeDropped && !overlapping.contains(index.name) && !statements.contains { $0.uses(index) }
          && !forms.contains { $0.uses(index) } && !Self.servesForeignKey(index, of: table)
          && !Self.needsApp(index, in: context)
      }.map { finding($0, own.count, in: context) }
    }
  }

  /// Whether a collation or a function of the app decides which statements can use the index. With a stand-in, SQLite
  /// may choose another plan.
  private static func needsApp(_ index: IndexSchema, in context: DetectorContext) -> Bool {
    let collations = index.keys.map(\.collation.asciiLowercased)
    if !Set(collations).isSubset(of: ["binary", "nocase", "rtrim"]) { return true }
    let expressions = (index.keys.compactMap(\.expression) + [index.condition].compactMap(\.self)).map(SQLText.init)
    let calls = expressions.flatMap { text in
      let tokens = SQLTokenizer(text).filter { !$0.isTrivia }
      return zip(tokens, tokens.dropFirst()).filter {
        $0.kind == .word && $1.kind == .symbol(.leftParenthesis) && SQLKeyword.keyword(text[$0.range]) == nil
      }.map { text[$0.0.range].asciiLowercased }
    }
    guard !calls.isEmpty else { return false }
    let known = try? context.rows("SELECT DISTINCT lower(name) FROM pragma_function_list WHERE builtin = 1")
    return !Set(calls).isSubset(of: known?.compactMap { $0[0].text } ?? [])
  }

  static func servesForeignKey(_ index: IndexSchema, of table: TableSchema) -> Bool {
    table.foreignKeys.contains { key in
      let columns = Set(key.columns.map(\.asciiLowercased))
      return Set(index.keys.prefix(columns.count).compactMap { $0.column?.asciiLowercased }) == columns
    }
  }

  private func finding(_ index: IndexSchema, _ count: Int, in context: DetectorContext) -> Finding {
    let bytes = context.bytes(of: index)
    return Finding(
      kind: .unusedIndex, severity: .note,
      title: "None of the \(Figure.count(count, "statement")) on \(index.table) reads \(index.name)",
      explanation:
        "Each write to \(index.table) keeps \(index.name) up to "
        + "date\(bytes.map { ", and it takes \(Figure.bytes($0))" } ?? ""). "
        + "Other code of the app may need it: look for its columns before dropping it.",
      evidence: bytes.map { [Evidence(name: "size of the index", value: Double($0), unit: "bytes")] } ?? [],
      fix: Fix(
        summary: "Drop \(index.name) if nothing else needs it", sql: [context.dropping(index)],
        grdb: "try db.drop(index: \"\(index.name)\")"),
      outcome: .notMeasured(reason: "Only the statements of this workload are known."))
  }
}
