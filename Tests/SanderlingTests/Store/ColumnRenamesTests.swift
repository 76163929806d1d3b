import GRDB
import SanderlingSQL
import Testing

@testable import Sanderling

/// Only columns of one type with similar names, or the only two columns that are alike, are offered as a renaming.
@Suite struct ColumnRenamesTests {
  enum Old {
    @Record("payment") struct Payment {
      var id: Int64?
      var merchant: String
      var currency: String
      var amount: Int
    }

    @Record("event") struct Event {
      var id: Int64?
      var dueAt: String
      var note: String
      var place: String
    }

    @Record("word") struct Word {
      var id: Int64?
      var text: String
    }
  }

  enum New {
    @Record("payment") struct Payment {
      var id: Int64?
      var merchantName: String
      var amount: Int
    }

    @Record("event") struct Event {
      var id: Int64?
      var due_date: String
      var remark: String
      var summary: String
    }

    /// The new column has a default, which the removed column has not.
    @Record("word") struct Word {
      var id: Int64?
      var locale = "en"
    }

    @Record("word") struct Spelling {
      var id: Int64?
      var letters: String
    }
  }

  /// The names of the renamings in the printed plan.
  private func renamings(_ old: any StoredRecord.Type, _ new: any StoredRecord.Type) throws -> [String] {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: StoreSchema([old]), migrator: nil)
    let error = #expect(throws: StoreError.self) {
      try SchemaMigration.open(queue, schema: StoreSchema([new]), migrator: nil)
    }
    guard case .schemaMismatch(let plan) = error else { throw try #require(error) }
    return plan.description.matches(of: #/registerMigration\("rename ([^"]+)"\)/#).map { String($0.output.1) }
  }

  @Test func aSimilarNameWins() throws {
    #expect(try renamings(Old.Payment.self, New.Payment.self) == ["payment.merchant to merchantName"])
  }

  /// `note` and `place` may both be `remark` or `summary`.
  @Test func ofSeveralUnlikeNamesNoneIsChosen() throws {
    #expect(try renamings(Old.Event.self, New.Event.self) == ["event.dueAt to due_date"])
  }

  @Test func theOnlyTwoColumnsThatAreAlikeAreARenaming() throws {
    #expect(try renamings(Old.Word.self, New.Spelling.self) == ["word.text to letters"])
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: StoreSchema([Old.Word.self]), migrator: nil)
    let error = #expect(throws: StoreError.self) {
      try SchemaMigration.open(queue, schema: StoreSchema([New.Word.self]), migrator: nil)
    }
    #expect("\(try #require(error))".contains("drop word.text"))
    #expect(!"\(try #require(error))".contains("rename word.text"))
  }

  @Test(arguments: [
    ("merchant", "merchantName", true), ("name", "fullName", true), ("dueAt", "due_date", true),
    ("colour", "color", true),
    ("task_id", "taskID", true), ("isDone", "done", true), ("projectName", "project_title", true),
    ("currency", "merchantName", false), ("name", "title", false), ("createdAt", "updatedAt", false),
    ("productName", "merchantName", false), ("id", "a", false), ("", "a", false),
  ])
  func similarNames(one: String, other: String, areSimilar: Bool) {
    #expect(SimilarNames.are(one, other) == areSimilar)
    #expect(SimilarNames.are(other, one) == areSimilar)
  }
}
