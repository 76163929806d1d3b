import Testing

@testable import Sanderling

/// What each search must find was written by hand before the fold was: nothing is missed, and nothing is found that doesn't match.
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
