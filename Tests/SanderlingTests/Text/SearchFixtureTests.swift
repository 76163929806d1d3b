import Testing

@testable import Sanderling

/// The expected results of each search were written by hand, before the fold existed. No match is missing, and no
/// result is wrong.
@Suite struct SearchFixtureTests {
  @Test func eachQueryFindsExactlyItsTexts() throws {
    let fixture = try SearchFixture()
    #expect(fixture.queries.count >= 500)
    for query in fixture.queries {
      let search = TextSearch(query.input, in: query.kind)
      let found = fixture.texts.filter { search.matches($0.text) }.map(\.id)
      #expect(
        Set(found) == query.ids,
        "line \(query.line): \(query.kind) \(query.input.debugDescription), searched for \(search)")
    }
  }
}
