import SanderlingSQL

/// Rewrites the statements of a schema with other literals, and without comments.
struct SchemaTranslator {
  let statements: StatementTranslator
  private var schema: DatabaseSchema { statements.schema }

  // MARK: Tables

  /// Returns CREATE TABLE with replaced literals in CHECK, DEFAULT and computed columns.
  func table(_ table: TableSchema) throws -> String {
    let text = SQLText(table.sql)
    var rewriter = SQLRewriter(text)
    let tokens = SQLTokenizer(text).filter { token in
      if token.kind == .comment { rewriter.replace(token.range, with: " ") }
      return !token.isTrivia
    }
    var depth = 0
    var column = ""
    var place = 0
    while place < tokens.count {
      let token = tokens[place]
      let word = token.kind == .word ? text[token.range].asciiUppercased : ""
      switch token.kind {
      case .symbol(.leftParenthesis):
        depth += 1
        if depth == 1, place + 1 < tokens.count { column = text[tokens[place + 1].range].withoutQuotes }
      case .symbol(.rightParenthesis): depth -= 1
      case .symbol(.comma) where depth == 1 && place + 1 < tokens.count:
        column = text[tokens[place + 1].range].withoutQuotes
      default: break
      }
      if ["CHECK", "AS", "DEFAULT"].contains(word), place + 1 < tokens.count, depth > 0 {
        if let end = tokens.closing(place + 1) {
          let range = tokens[place + 1].range.upperBound..<tokens[end].range.lowerBound
          rewriter.replace(range, with: try expression(text[range], of: table.name))
          place = end
        } else if word == "DEFAULT" {
          // SQLite treats a bare word like a quoted text.
          let isText =
            tokens[place + 1].kind == .quotedName
            || tokens[place + 1].kind == .word && !Self.words.contains(text[tokens[place + 1].range].asciiUppercased)
          if isText {
            let value = BoundValue.text(text[tokens[place + 1].range].withoutQuotes)
            rewriter.replace(tokens[place + 1].range, with: try stored(value, table.name, column).sqlText)
            place += 2
            continue
          }
          let isSigned = [.symbol(.minus), .symbol(.plus)].contains(tokens[place + 1].kind)
          let last = min(tokens.count - 1, place + (isSigned ? 2 : 1))
          let range = tokens[place + 1].range.lowerBound..<tokens[last].range.upperBound
          if [.string, .integer, .real, .blob].contains(tokens[last].kind) || tokens[last].kind == .doubleQuoted,
            let value = statements.literal(text[range])
          {
            rewriter.replace(range, with: try stored(value, table.name, column).sqlText)
          }
          place = last
        }
      }
      place += 1
    }
    return rewriter.rewritten()
  }

  /// The words after DEFAULT that are keywords, not texts.
  private static let words: Set = ["NULL", "TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"]

  /// Translates a default. If rows have the value, it is translated like their values.
  private func stored(_ value: BoundValue, _ table: String, _ column: String) throws -> BoundValue {
    let key = ColumnKey(table: table, column: ColumnID(name: schema.table(table)?.column(column)?.name ?? column))
    guard value != value.neutral, try statements.values.domains.place(of: value, in: key)?.isThere == true else {
      return value.neutral
    }
    return try statements.values.plain(value, key)
  }

  /// Translates an expression over the columns of one table.
  func expression(_ sql: String, of table: String) throws -> String {
    let beginning = "SELECT 1 FROM \(table.quotedIdentifier) WHERE ("
    guard let parsed = try? SQLParser.parse(beginning + sql + ")") else { return neutral(sql) }
    let uses = StatementUses(parsed, schema: schema)
    return String(
      decoding: try statements.rewritten(parsed, uses).utf8.dropFirst(beginning.utf8.count).dropLast(), as: UTF8.self)
  }

  /// Returns the uses of columns in an expression of the schema, as if it were the condition of a statement.
  func uses(of sql: String, table: String) -> StatementUses? {
    (try? SQLParser.parse("SELECT 1 FROM \(table.quotedIdentifier) WHERE (\(sql))")).map {
      StatementUses($0, schema: schema)
    }
  }

  // MARK: Others

  func index(_ index: IndexSchema) throws -> String? {
    // Constraints create the other indexes.
    guard index.sql != nil else { return nil }
    let keys = try index.keys.map { key in
      let sql = try key.column.map(\.quotedIdentifier) ?? expression(key.expression ?? "NULL", of: index.table)
      let declared = key.column.flatMap { schema.table(index.table)?.column($0)?.collation } ?? "BINARY"
      let collation =
        key.collation.asciiLowercased == declared.asciiLowercased
        ? "" : " COLLATE \(key.collation.quotedIdentifier)"
      return sql + collation + (key.isDescending ? " DESC" : "")
    }
    let condition = try index.condition.map { " WHERE " + (try expression($0, of: index.table)) } ?? ""
    return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(index.name.quotedIdentifier) ON "
      + "\(index.table.quotedIdentifier) (\(keys.joined(separator: ", ")))\(condition)"
  }

  func view(_ view: ViewSchema) throws -> String {
    guard let parsed = try? SQLParser.parseView(view.sql) else { return neutral(view.sql) }
    // A result column without a name gets its expression as its name, including the literals.
    let columns = view.columns.map { neutral($0).quotedIdentifier }.joined(separator: ", ")
    let select = try statements.rewritten(parsed, StatementUses(parsed, schema: schema))
    return "CREATE VIEW \(view.name.quotedIdentifier)\(columns.isEmpty ? "" : " (\(columns))") AS\(select)"
  }

  /// Translates SQL that is not parsed, such as that of triggers.
  func neutral(_ sql: String) -> String {
    let text = SQLText(sql)
    let strings = statements.names.values(in: text)
    var rewriter = SQLRewriter(text)
    for token in SQLTokenizer(text) {
      switch token.kind {
      case .comment: rewriter.replace(token.range, with: " ")
      case .string, .blob, .integer, .real:
        if let other = statements.neutral(text[token.range]) { rewriter.replace(token.range, with: other) }
      case .doubleQuoted where strings.contains(token.range):
        if let other = statements.neutral(text[token.range]) { rewriter.replace(token.range, with: other) }
      default: break
      }
    }
    return rewriter.rewritten()
  }
}

extension DatabaseSchema {
  /// Returns the column or path that a computed column equals; otherwise the key itself.
  func canonical(_ key: ColumnKey) -> ColumnKey {
    guard let table = table(key.table), table.column(key.column.name)?.isGenerated == true, key.column.path == nil,
      let sql = table.expression(of: key.column.name),
      let parsed = try? SQLParser.parse("SELECT (\(sql)) FROM \(table.name.quotedIdentifier)")
    else { return key }
    let resolved = SQLResolver.resolve(parsed, in: description)
    let expression = resolved.cores.first?.results.first?.expression
    return expression.flatMap { ColumnFinder(resolved: resolved, schema: self).column($0) } ?? key
  }
}

extension TableSchema {
  /// Returns the expression of a computed column.
  func expression(of column: String) -> String? {
    let text = SQLText(sql)
    let tokens = SQLTokenizer(text).filter { !$0.isTrivia }
    var depth = 0
    var isColumn = false
    for (place, token) in tokens.enumerated() {
      if token.kind == .symbol(.rightParenthesis) { depth -= 1 }
      if token.kind == .symbol(.leftParenthesis) || token.kind == .symbol(.comma) && depth == 1 {
        if token.kind == .symbol(.leftParenthesis) { depth += 1 }
        if depth == 1, place + 1 < tokens.count {
          isColumn = text[tokens[place + 1].range].withoutQuotes.asciiLowercased == column.asciiLowercased
        }
      }
      if isColumn, depth == 1, token.kind == .word, text[token.range].asciiUppercased == "AS",
        let end = tokens.closing(place + 1)
      {
        return text[tokens[place + 1].range.upperBound..<tokens[end].range.lowerBound]
      }
    }
    return nil
  }
}
