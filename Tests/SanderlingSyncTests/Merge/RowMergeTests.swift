import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// Merges of a row with a key and two columns: the base, the local row and the server's row.
@Suite struct RowMergeTests {
  private func merge(
    _ base: [Int64]?, _ local: [Int64]?, _ theirs: [Int64?]?, _ policy: ConflictPolicy = .merge
  ) throws -> RowMerge {
    func row(_ values: [Int64]?) -> [StorageValue]? { values.map { [.text("key")] + $0.map { .integer($0) } } }
    let merger = RowMerger(record: "notes", columns: ["id", "x", "y"], key: [0], policy: policy)
    let server = theirs.map { [StorageValue?.some(.text("key"))] + $0.map { $0.map { .integer($0) } } }
    return try merger.merge(base: row(base), local: row(local), theirs: server)
  }

  private func row(_ x: Int64, _ y: Int64) -> [StorageValue] { [.text("key"), .integer(x), .integer(y)] }

  @Test func eachSidesColumnsAreKept() throws {
    #expect(try merge([1, 1], [2, 1], [1, 3]) == RowMerge(row: row(2, 3), base: row(1, 3)))
    #expect(try merge([1, 1], [2, 1], [1, 1]) == RowMerge(row: row(2, 1), base: row(1, 1)))
    #expect(try merge([1, 1], [1, 1], [2, 3]) == RowMerge(row: row(2, 3), base: row(2, 3)))
    #expect(try merge([1, 1], [2, 2], [2, 2]) == RowMerge(row: row(2, 2), base: row(2, 2)))
    // Columns that the server leaves out are unchanged.
    #expect(try merge([1, 1], [2, 1], [nil, 3]) == RowMerge(row: row(2, 3), base: row(1, 3)))
  }

  @Test func conflictPolicyDecidesWhichValueIsLost() throws {
    let conflict: ([Int64], [Int64], [Int64]) = ([1, 1], [2, 2], [3, 1])
    func merged(_ policy: ConflictPolicy) throws -> RowMerge { try merge(conflict.0, conflict.1, conflict.2, policy) }
    let (lostHere, lostThere) = (
      RowMerge.Loss.value(.local, column: 1, .integer(2)), RowMerge.Loss.value(.server, column: 1, .integer(3))
    )
    let lostAlsoHere = RowMerge.Loss.value(.local, column: 2, .integer(2))
    #expect(try merged(.merge) == RowMerge(row: row(2, 2), base: row(3, 1), losses: [lostThere]))
    #expect(try merged(.clientWins) == RowMerge(row: row(2, 2), base: row(3, 1), losses: [lostThere]))
    #expect(try merged(.serverWins) == RowMerge(row: row(3, 1), base: row(3, 1), losses: [lostHere, lostAlsoHere]))
    #expect(
      try merged(.newest(by: \SampleEntries.Note.Fields.x))
        == RowMerge(row: row(3, 1), base: row(3, 1), losses: [lostHere, lostAlsoHere]))
    #expect(
      try merged(.newest(by: \SampleEntries.Note.Fields.y))
        == RowMerge(row: row(2, 2), base: row(3, 1), losses: [lostThere]))
    #expect(
      try merged(.merge.merging(\SampleEntries.Note.Fields.x, .counter)) == RowMerge(row: row(4, 2), base: row(3, 1)))
    #expect(
      try merged(.serverWins.merging(\SampleEntries.Note.Fields.x, .counter))
        == RowMerge(row: row(4, 1), base: row(3, 1), losses: [lostAlsoHere]))
    #expect(
      try merge([1, 1], [2, 1], [2, 1], .merge.merging(\SampleEntries.Note.Fields.x, .counter))
        == RowMerge(row: row(3, 1), base: row(2, 1)))
    let sum = ConflictPolicy.custom { conflict in
      #expect(conflict.base?["x"] == .integer(1))
      #expect(conflict.local["x"] == .integer(2))
      #expect(conflict.theirs["x"] == .integer(3))
      return .row(["x": .integer(5)])
    }
    #expect(try merged(sum) == RowMerge(row: row(5, 2), base: row(3, 1), losses: [lostHere, lostThere]))
    #expect(
      try merged(.custom { _ in .deletion })
        == RowMerge(row: nil, base: row(3, 1), losses: [.row(.local, row(2, 2)), .row(.server, row(3, 1))]))
  }

  @Test func rowsInsertedOnBothSidesAreMerged() throws {
    #expect(try merge(nil, [2, 1], [2, 1]) == RowMerge(row: row(2, 1), base: row(2, 1)))
    #expect(
      try merge(nil, [2, 1], [3, 1])
        == RowMerge(row: row(2, 1), base: row(3, 1), losses: [.value(.server, column: 1, .integer(3))]))
    // The server's value of the second column is unknown, so the base has NULL there.
    #expect(
      try merge(nil, [2, 1], [2, nil])
        == RowMerge(row: row(2, 1), base: [.text("key"), .integer(2), .null]))
  }

  @Test(arguments: [
    (DeletionPolicy.changeWins, true, true), (.deletionWins, false, false), (.clientWins, true, false),
    (.serverWins, false, true),
  ])
  func deletionAgainstChange(policy: DeletionPolicy, staysWhenServerDeletes: Bool, staysWhenDeletedHere: Bool) throws {
    let policy = ConflictPolicy.merge.deletions(policy)
    #expect(
      try merge([1, 1], [2, 1], nil, policy)
        == (staysWhenServerDeletes
          ? RowMerge(row: row(2, 1), base: nil, losses: [.deletion(.server)])
          : RowMerge(row: nil, base: nil, losses: [.row(.local, row(2, 1))])))
    #expect(
      try merge([1, 1], nil, [3, 1], policy)
        == (staysWhenDeletedHere
          ? RowMerge(row: row(3, 1), base: row(3, 1), losses: [.deletion(.local)])
          : RowMerge(row: nil, base: row(3, 1), losses: [.row(.server, row(3, 1))])))
    // These versions are not in conflict.
    #expect(try merge([1, 1], nil, nil, policy) == RowMerge(row: nil, base: nil))
    #expect(try merge([1, 1], [1, 1], nil, policy) == RowMerge(row: nil, base: nil))
    #expect(try merge([1, 1], nil, [1, 1], policy) == RowMerge(row: nil, base: row(1, 1)))
  }

  /// Each lost value is reported, for all versions of a row with two columns of three values, and all policies.
  @Test func everyLostValueIsReported() throws {
    let values: [Int64] = [0, 1, 2]
    let rows: [[Int64]?] = [nil] + values.flatMap { x in values.map { [x, $0] } }
    let deletions: [DeletionPolicy] = [.changeWins, .deletionWins, .clientWins, .serverWins]
    let policies = [ConflictPolicy.merge, .serverWins, .clientWins, .newest(by: \SampleEntries.Note.Fields.y)].flatMap {
      policy in
      deletions.map { policy.deletions($0) }
    }
    for policy in policies {
      for base in rows {
        for local in rows {
          for theirs in rows {
            let result = try merge(base, local, theirs?.map { $0 }, policy)
            let (b, l, t) = (
              base.map { row($0[0], $0[1]) }, local.map { row($0[0], $0[1]) }, theirs.map { row($0[0], $0[1]) }
            )
            #expect(result.base == t)
            if b == t, l != nil || b != nil { #expect(result.row == l && result.losses.isEmpty) }
            if l == t { #expect(result.row == t && result.losses.isEmpty) }
            if l == b { #expect(result.row == t && result.losses.isEmpty) }
            guard let b, let l, let t else { continue }
            guard let merged = result.row else {
              Issue.record("the merge deletes a row that both sides have")
              continue
            }
            for column in 1...2 where merged[column] != l[column] && l[column] != b[column] {
              #expect(result.losses.contains(.value(.local, column: column, l[column])))
            }
            for column in 1...2 where merged[column] != t[column] && t[column] != b[column] {
              #expect(result.losses.contains(.value(.server, column: column, t[column])))
            }
          }
        }
      }
    }
  }

  @Test func countersAndSets() throws {
    #expect(try ColumnMerge.counter.merge(.integer(5), .integer(7), .integer(4)) == .integer(6))
    #expect(try ColumnMerge.counter.merge(nil, .integer(2), .integer(3)) == .integer(5))
    #expect(try ColumnMerge.counter.merge(.integer(-1), .integer(.max), .integer(4)) == .integer(.max))
    #expect(
      try ColumnMerge.set.merge(.text(#"["a","b"]"#), .text(#"["a","c"]"#), .text(#"["b","d"]"#))
        == .text(#"["c","d"]"#))
    #expect(try ColumnMerge.set.merge(nil, .text("broken"), .text("[]")) == .text("broken"))
    let longer = ColumnMerge.of(String.self) { _, local, theirs in local.count >= theirs.count ? local : theirs }
    #expect(try longer.merge(nil, .text("a"), .text("bc")) == .text("bc"))
    #expect(throws: (any Error).self) { try longer.merge(nil, .text("a"), .blob(Data([1]))) }
  }
}
