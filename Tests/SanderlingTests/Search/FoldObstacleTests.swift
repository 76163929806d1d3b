import Foundation
import GRDB
import Testing

@testable import Sanderling

/// What stands in the way of folding what others wrote, and what they write without a change that a collation would see.
@Suite struct FoldObstacleTests {
  let folder = TemporaryFolder()

  @Record("padded")
  struct Padded: Hashable {
    var id: Int
    @Searchable @Stored(collation: .rtrim) var text: String
    @Searchable @Stored(collation: .nocase) var other: String
  }

  /// Texts that the column's collation takes for one, and whose folds differ.
  @Test func changesThatTheCollationDoesNotSee() async throws {
    let store = try folder.store(schema: [Padded.self])
    try await store.write("given") { try $0.insert(Padded(id: 1, text: "a", other: "ab\0c")) }
    try store.writer.run("UPDATE padded SET text = 'a  ', other = \("AB\0d".quotedLiteral)")
    #expect(try await store.count(Padded.where { $0.text.folded == "a" }) == 0)
    #expect(
      try await store.count(Padded.where { $0.text.folded == "a  " && $0.other.folded == "ab\0d" })
        == 1)
    await store.connection.folding?.finished()
    #expect(
      try await store.count(Padded.where { $0.text.folded == "a  " && $0.other.folded == "ab\0d" })
        == 1)
  }
}
