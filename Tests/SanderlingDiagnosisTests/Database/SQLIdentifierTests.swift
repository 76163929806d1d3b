import Testing

@testable import SanderlingDiagnosis

@Suite struct SQLIdentifierTests {
  /// A quote with a mark or a joiner behind it is a quote to SQLite.
  @Test(arguments: ["a", "", "\"", "'", "a\"\u{301}b", "'\u{301}", "\"\u{FE0F}'\u{200D}", "[]`\u{301}`", "日\"\u{E4D}"])
  func quotesAreDoubled(text: String) throws {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    #expect(try connection.value("SELECT \(SQLIdentifier.literal(text))") == .text(text))
    try connection.run("CREATE TABLE t (\(SQLIdentifier.quoted(text)))")
    #expect(try connection.value("SELECT name FROM pragma_table_info('t')") == .text(text))
    #expect(SQLIdentifier.unquoted(SQLIdentifier.quoted(text)) == text)
    #expect(SQLIdentifier.unquoted(SQLIdentifier.literal(text)) == text)
  }

  @Test(arguments: [
    ("plain", "plain"), ("[a]\u{301}]", "a]\u{301}"), ("`a``\u{301}b`", "a`\u{301}b"), ("\"a\"\u{301}", "\"a\"\u{301}"),
    ("\"", "\""), ("'a''''b'", "a''b"),
  ])
  func quotesAreTakenOff(token: String, name: String) {
    #expect(SQLIdentifier.unquoted(token).utf8.elementsEqual(name.utf8))
  }
}
