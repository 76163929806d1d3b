import Testing

@testable import Sanderling

/// Searching the folds of rows in memory finds the same rows as searching each text by itself.
@Suite struct RowFoldsTests {
  @Test func fixture() throws {
    let fixture = try SearchFixture()
    for kind in SearchKind.allCases {
      let folds = Self.folds(fixture.texts.map { [$0.text] }, kind)
      for query in fixture.queries where query.kind == kind {
        let found = try #require(folds.rows(matching: TextSearch(query.input, in: kind)))
        #expect(Set(found.map { fixture.texts[$0].id }) == query.ids, "line \(query.line)")
      }
    }
  }

  @Test func randomTexts() throws {
    var generator = SeededGenerator()
    var count = 0
    for round in 0..<3_000 {
      let letters = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
        RandomText.scalars.randomElement(using: &generator)!
      }
      func text(_ pieces: ClosedRange<Int>) -> String {
        RandomText.text(of: letters, &generator, pieces: .random(in: pieces, using: &generator))
      }
      let textCount = Int.random(in: 1...3, using: &generator)
      let rows = (0..<12).map { _ in
        (0..<textCount).map { _ in Int.random(in: 0..<4, using: &generator) == 0 ? nil : text(0...6) }
      }
      for kind in SearchKind.allCases {
        let folds = Self.folds(rows, kind)
        let search = TextSearch(text(1...4), in: kind)
        let wanted = rows.indices.filter { search.matches(rows[$0]) }
        count += wanted.count
        #expect(folds.rows(matching: search) == wanted, "SANDERLING_SEED=\(generator.seed), round \(round), \(search)")
      }
    }
    #expect(count > 2_000)
  }

  /// A text may contain the bytes of the input without containing its word.
  @Test func signsBehindWords() throws {
    let texts = ["c+", "c+d", "c++", "c++d", "c+++", "c#", "c#d", "cd+", "c", "c+ d"]
    let folds = Self.folds(texts.map { [$0] }, .words)
    for input in ["c", "c ", "c+", "c+ ", "c++", "c++ ", "c#", "c# ", "-c+", "d", "c++ d"] {
      let search = TextSearch(input, in: .words)
      let wanted = texts.indices.filter { search.matches(texts[$0]) }
      #expect(folds.rows(matching: search) == wanted, "\(input)")
    }
  }

  @Test func cancellation() async {
    let folds = Self.folds(Array(repeating: ["a"], count: 5_000), .words)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return folds.rows(matching: TextSearch("a", in: .words))
    }
    #expect(await task.value == nil)
    #expect(folds.rows(matching: TextSearch("a", in: .words))?.count == 5_000)
    #expect(RowFolds(textCount: 1).rows(matching: TextSearch("a", in: .words)) == [])
  }

  private static func folds(_ rows: [[String?]], _ kind: SearchKind) -> RowFolds {
    var folds = RowFolds(textCount: rows[0].count)
    let buffer = FoldBuffer()
    for text in rows.joined() {
      if var text { text.withUTF8 { folds.append($0, buffer) } } else { folds.append(nil, buffer) }
    }
    folds.finish(for: kind)
    return folds
  }
}
