import Testing

struct CorpusPartTests {
  @Test func eachSchemaIsInOnePart() throws {
    let parts = try (1...6).map { try #require(CorpusPart("\($0)/6")) }
    for schema in Corpus.schemas {
      #expect(parts.count { $0.contains(schema.name) } == 1, "\(schema.name)")
    }
    for part in parts { #expect(Corpus.schemas.contains { part.contains($0.name) }) }
  }

  @Test(arguments: ["", "1", "0/6", "7/6", "1/0", "-1/6", "1/6/6", "a/b", "1/"])
  func malformedPartsAreRefused(text: String) {
    #expect(CorpusPart(text) == nil)
  }
}
