import Sanderling
import SanderlingSync
import Testing

@Suite struct SyncedRecordTests {
  @Record("memos")
  struct Memo {
    var id: Int
    var text: String
  }

  @Test func recordIsNamedAfterItsTable() {
    #expect(SyncedRecord(Memo.self).name == "memos")
    #expect(SyncedRecord(Memo.self, named: "notes").name == "notes")
  }
}
