/// Searches: an index finds candidates, and a function of ours decides about each.
extension SQLCompiler {
  mutating func writeMatches(_ arguments: MatchArguments) throws {
    if writesDefinition {
      throw StoreError.invalidQuery("an index can't have what somebody looks for: declare the text with @Searchable")
    }
    let search = arguments.search
    if search.matchesAll {
      return try writeList(arguments.columns, separator: " OR ") { compiler, column in
        try compiler.write(Term.unary(.isNotNull, .column(column)))
      }
    }
    if search.kind == .prefix {
      return try writeList(arguments.columns, separator: " OR ") { compiler, column in
        try compiler.writePrefixMatch(arguments, column)
      }
    }
    try writeDecision(arguments, arguments.columns)
  }

  /// A range of the folded texts. NULL is in none, and the function says so.
  private mutating func writePrefixMatch(_ arguments: MatchArguments, _ column: ColumnTerm) throws {
    let text = Term.column(column)
    let prefix = ExactText(String(decoding: arguments.search.needle, as: UTF8.self))
    try write(.prefix(.collate(.function(.folded, [text]), .binary), prefix))
    write(" AND ")
    if arguments.search.mayEndAnywhere {
      try write(Term.unary(.isNotNull, text))
    } else {
      try writeDecision(arguments, [column])
    }
  }

  /// The function that decides about texts.
  private mutating func writeDecision(_ arguments: MatchArguments, _ columns: [ColumnTerm]) throws {
    write("\(MatchFunction.name)(\(arguments.search.kind.rawValue.quotedLiteral), ")
    writeParameter(.text(arguments.input))
    for column in columns {
      write(", ")
      try write(Term.column(column))
    }
    write(")")
  }

  mutating func writeRelevance(_ arguments: MatchArguments) throws {
    write("0.0")
  }
}
