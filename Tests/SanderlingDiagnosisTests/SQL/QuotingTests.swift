import Testing

@testable import SanderlingDiagnosis

@Suite struct QuotingTests {
  /// Quotes are doubled even before a combining mark or a joiner, since SQLite still reads them as quotes.
  @Test(arguments: ["a", "", "\"", "'", "a\"\u{301}b", "'\u{301}", "\"\u{FE0F}'\u{200D}", "[]`\u{301}`", "日\"\u{E4D}"])
  func quotesAreDoubled(text: String) throws {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    #expect(try connection.value("SELECT \(text.quotedLiteral)") == .text(text))
    try connection.run("CREATE TABLE t (\(text.quotedIdentifier))")
    #expect(try connection.value("SELECT name FROM pragma_table_info('t')") == .text(text))
    #expect(text.quotedIdentifier.withoutQuotes == text)
    #expect(text.quotedLiteral.withoutQuotes == text)
  }

  @Test(arguments: [
    ("plain", "plain"), ("[a]\u{301}]", "a]\u{301}"), ("`a``\u{301}b`", "a`\u{301}b"), ("\"a\"\u{301}", "\"a\"\u{301}"),
    ("\"", "\""), ("'a''''b'", "a''b"),
  ])
  func quotesAreTakenOff(token: String, name: String) {
    #expect(token.withoutQuotes.utf8.elementsEqual(name.utf8))
  }
}
