import Foundation
import GRDB
import Sanderling

/// A record with times and a version that the database maintains.
@Record(indexes: [.unique(on: \.slug)])
struct Memo: Hashable {
  var id: Int64?
  var slug: String
  var text = ""
  @Stored(touch: .onInsert) var createdAt: Date?
  @Stored("changed", as: .unixMilliseconds, touch: .onUpdate) var changedAt: Date = .distantPast
  @Stored(touch: .version) var version = 1
}

/// A record with touched times in each coding of dates, and a key of two columns.
@Record
struct Stamp: Hashable {
  @PrimaryKey var album: String
  @PrimaryKey var page: Int
  var note = ""
  @Stored(touch: .onUpdate) var plain: Date?
  @Stored(as: .dateText, touch: .onUpdate) var text: Date?
  @Stored(as: .iso8601, touch: .onUpdate) var iso: Date?
  @Stored(as: .unixSeconds, touch: .onUpdate) var seconds: Date?
  @Stored(as: .unixMilliseconds, touch: .onUpdate) var milliseconds: Date?
  @Stored(touch: .version) var version: Int?
}

let touchSchema: [any StoredRecord.Type] = [Memo.self, Stamp.self]

extension Store {
  /// Sets the times and versions of all memos back, so that a touch is seen without waiting for the clock.
  func setBack() throws {
    try writer.run("UPDATE memo SET createdAt = 1, changed = 1000, version = 10")
  }

  /// Returns the columns of a memo that were touched since they were last reset, and the memo's version.
  func touched(_ key: Int64 = 1) throws -> String {
    try writer.read { db in
      try String.fetchOne(
        db,
        sql: """
          SELECT iif(createdAt IS 1, '', 'created ') || iif(changed IS 1000, '', 'changed ') || version FROM memo
          WHERE id = ?
          """, arguments: [key]) ?? "none"
    }
  }
}
