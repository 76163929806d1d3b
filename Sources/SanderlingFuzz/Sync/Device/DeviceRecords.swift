import Foundation
import Sanderling
import SanderlingSync

/// The records of the fuzzer's devices.
enum DeviceRecords {
  @Record("folder") struct Folder {
    var id: String
    var name: String
    @References(Folder.self, onDelete: .setNull) var parent: String?
  }

  @Record("note", indexes: [.on(\.folder)]) struct Note {
    var id: String
    @References(Folder.self, onDelete: .setNull) var folder: String?
    var title: String
    var body: String?
    /// The time of the user's change, by the device's clock.
    var at: Double
    var flag: Int
  }

  @Record("remark") struct Remark {
    var id: String
    @References(Note.self, onDelete: .cascade) var note: String
    var text: String
  }

  /// The same record in the next version of the app.
  @Record("remark") struct MarkedRemark {
    var id: String
    @References(Note.self, onDelete: .cascade) var note: String
    var text: String
    var mark: String?
  }

  @Record("tag", indexes: [.unique(on: \.name)]) struct Tag {
    var id: String
    var name: String
  }

  /// A row of each device that only this device writes.
  @Record("own") struct Own {
    var id: String
    var n: Int
  }

  @Record("counter") struct Counter {
    var id: String
    var count: Int
  }

  static func schema(isNew: Bool) -> [any StoredRecord.Type] {
    [Folder.self, Note.self, isNew ? MarkedRemark.self : Remark.self, Tag.self, Own.self, Counter.self]
  }

  static func synced(isNew: Bool, _ policy: DevicePolicy) -> [SyncedRecord] {
    [
      SyncedRecord(Folder.self), SyncedRecord(Note.self, conflicts: policy.conflicts),
      isNew ? SyncedRecord(MarkedRemark.self) : SyncedRecord(Remark.self), SyncedRecord(Tag.self),
      SyncedRecord(Own.self), SyncedRecord(Counter.self, conflicts: .merge.merging(\Counter.Fields.count, .counter)),
    ]
  }

  /// The columns of each record in the next version of the app.
  static let columns = [
    ("counter", ["id", "count"]), ("folder", ["id", "name", "parent"]),
    ("note", ["id", "folder", "title", "body", "at", "flag"]), ("own", ["id", "n"]),
    ("remark", ["id", "note", "text", "mark"]), ("tag", ["id", "name"]),
  ]
}

/// The rules for conflicting changes of notes.
struct DevicePolicy: Sendable {
  static let rules = ["merge", "server", "client", "newest"]
  static let deletions = ["change", "deletion", "client", "server"]

  var rule: String
  var deletion: String

  init(rule: String, deletion: String) {
    self.rule = rule
    self.deletion = deletion
  }

  init(_ random: inout SeededGenerator) {
    self.init(rule: random.element(of: Self.rules), deletion: random.element(of: Self.deletions))
  }

  var conflicts: ConflictPolicy {
    let policy: ConflictPolicy =
      switch rule {
      case "server": .serverWins
      case "client": .clientWins
      case "newest": .newest(by: \DeviceRecords.Note.Fields.at)
      default: .merge
      }
    let deletions: DeletionPolicy =
      switch deletion {
      case "deletion": .deletionWins
      case "client": .clientWins
      case "server": .serverWins
      default: .changeWins
      }
    return policy.deletions(deletions)
  }
}
