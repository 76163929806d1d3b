/// A full-text table that finds any three letters in a table's texts, and the triggers that maintain it.
///
/// An external content table: https://www.sqlite.org/fts5.html#external_content_tables. Its tokenizer `trigram`, since
/// SQLite 3.34, answers LIKE and GLOB: https://www.sqlite.org/fts5.html#the_trigram_tokenizer
struct TrigramTable {
  let table: TableSchema
  let columns: [String]
  /// The name of the full-text table, in quotes.
  let name: String
  private let plainName: String
  private let key: String

  /// Names the full-text table of a table's columns; nil if the table has no rowid.
  init?(of columns: [String], in table: TableSchema, _ schema: DatabaseSchema) {
    guard let key = table.rowIDName else { return nil }
    let taken = { (name: String) in schema.table(name) != nil || schema.index(name) != nil }
    let names = ["\(table.name)_search"] + (2...9).map { "\(table.name)_search_\($0)" }
    guard let free = names.first(where: { !taken($0) }) else { return nil }
    (self.table, self.columns, self.key, plainName) = (table, columns, key, free)
    name = free.quotedIdentifier
  }

  private var list: String { columns.map { $0.quotedIdentifier }.joined(separator: ", ") }

  /// The statements that make and fill the full-text table.
  var creation: [String] {
    [
      "CREATE VIRTUAL TABLE \(name) USING fts5(\(list), content=\(table.name.quotedLiteral), "
        + "content_rowid=\(key.quotedLiteral), tokenize='trigram')",
      "INSERT INTO \(name) (\(name)) VALUES ('rebuild')",
    ]
  }

  /// The triggers that keep the full-text table equal to the table.
  var triggers: [String] {
    let own = table.name.quotedIdentifier
    func values(_ row: String) -> String {
      ([key] + columns).map { "\(row).\($0.quotedIdentifier)" }.joined(separator: ", ")
    }
    let added = "INSERT INTO \(name) (rowid, \(list)) VALUES (\(values("new")));"
    let removed = "INSERT INTO \(name) (\(name), rowid, \(list)) VALUES ('delete', \(values("old")));"
    let changed = ([key] + columns).filter { table.column($0) != nil }.map { $0.quotedIdentifier }
    func trigger(_ event: String, _ words: String, _ body: String) -> String {
      "CREATE TRIGGER \("\(plainName)_\(event)".quotedIdentifier) AFTER \(words) ON \(own) BEGIN \(body) END"
    }
    return [
      trigger("insert", "INSERT", added), trigger("delete", "DELETE", removed),
      trigger("update", "UPDATE OF \(changed.joined(separator: ", "))", "\(removed) \(added)"),
    ]
  }

  /// The fix: the table, its triggers, and the statement that searches the table.
  func fix(asking statement: String) -> Fix {
    Fix(
      summary: "Search a full-text table of \(table.name).\(columns.joined(separator: ", "))",
      sql: creation + triggers + [statement],
      grdb: "try db.create(virtualTable: \"\(plainName)\", using: FTS5()) { t in\n"
        + "  t.tokenizer = FTS5TokenizerDescriptor(components: [\"trigram\"])\n"
        + "  t.synchronize(withTable: \"\(table.name)\")\n" + columns.map { "  t.column(\"\($0)\")\n" }.joined() + "}",
      coreData: "Search a normalized attribute by its beginning, or index the texts with Core Spotlight.")
  }

  /// The statement that searches the table for the texts of a source; nil if the condition reads anything besides
  /// columns of the source.
  func search(_ condition: SQLExpression, of source: Int, in statement: MovableStatement) -> String? {
    guard let resolved = statement.shape.resolved.sources[source], !statement.hasSubquery(condition) else { return nil }
    var rewriter = SQLRewriter(statement.text)
    for node in condition.withDescendants {
      guard case .column = node.kind else { continue }
      guard case .column(source, let column)? = statement.shape.resolved.meaning(of: node), columns.contains(column)
      else { return nil }
      rewriter.replace(node.range, with: column.quotedIdentifier)
    }
    let rows = "\(FanOutSQL.name(resolved.name)).\(FanOutSQL.name(key))"
    return statement.replacing(
      condition.range, with: "\(rows) IN (SELECT rowid FROM \(name) WHERE \(rewriter.rewritten(condition.range)))")
  }
}
