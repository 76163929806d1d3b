import Sanderling

@testable import SanderlingSync

/// One outbox entry for each state, and one event of each kind.
enum SampleEntries {
  @Record("notes") struct Note {
    @PrimaryKey var id: String
    var x: Int
    var y: Int
  }

  static let policy = OutboxPolicy(record: SyncedRecord(Note.self))
  static let key = [StorageValue.text("a")]

  static func row(_ x: Int64, _ y: Int64) -> OutboxEntry.Row { [.text("a"), .integer(x), .integer(y)] }

  /// The server's row `base`, and the local row `mine`, which is also the sent row.
  static let (base, mine) = (row(1, 1), row(2, 1))

  private static let insertion = OutboxEntry.Sent(
    kind: .insertion, row: mine, columns: [0, 1, 2], number: 4, baseVersion: nil)
  static let update = OutboxEntry.Sent(kind: .update, row: mine, columns: [1], number: 4, baseVersion: "1")
  private static let replaced = OutboxEntry.Sent(kind: .update, row: mine, columns: [1], number: 4, baseVersion: nil)

  private static func entry(
    _ state: OutboxEntry.State, base: OutboxEntry.Row? = base, row: OutboxEntry.Row? = mine, isAssumed: Bool = false,
    isDeparted: Bool = false, conflicts: Int64 = 2
  ) -> OutboxEntry {
    OutboxEntry(
      sequence: 3, key: key, base: base, row: row, state: state, isAssumed: isAssumed, isDeparted: isDeparted,
      conflicts: conflicts)
  }

  static let entries: [(name: String, entry: OutboxEntry?)] = {
    let held = SyncChange("notes", key: key, .row(["x": .integer(1), "y": .integer(5)]), version: "5")
    return [
      ("nothing", nil),
      ("unsent", entry(.unsent)),
      ("unsent, as before", entry(.unsent, row: base)),
      ("unsent, assumed", entry(.unsent, base: row(3, 1), isAssumed: true)),
      ("unsent, departed", entry(.unsent, isDeparted: true)),
      ("uncertain", entry(.uncertain(insertion), base: nil)),
      ("uncertain, as before", entry(.uncertain(update), row: base)),
      ("uncertain, deleted", entry(.uncertain(insertion), base: nil, row: nil)),
      ("taken", entry(.taken(insertion, version: "2"), base: nil)),
      ("taken, rebased", entry(.taken(replaced, version: "2"), base: row(7, 1))),
      ("returned", entry(.returned([base, mine]))),
      ("sending", entry(.sending(update, .init()))),
      ("sending, new", entry(.sending(insertion, .init()), base: nil)),
      ("sending, new, rebased", entry(.sending(insertion, .init(basis: .changed)), base: nil)),
      ("sending, told again", entry(.sending(update, .init(basis: .toldAgain)))),
      ("sending, rebased", entry(.sending(update, .init(basis: .changed)))),
      ("sending, held", entry(.sending(update, .init(held: held)))),
      ("sending, answered", entry(.sending(update, .init(acknowledgement: .init(version: "2", lastStaged: 5))))),
      ("sending, edited", entry(.sending(update, .init(isEdited: true)))),
      ("sending, assumed", entry(.sending(update, .init()), base: mine, isAssumed: true)),
      ("sending, stuck", entry(.sending(update, .init()), conflicts: OutboxEntry.stuckCount)),
      ("sending, stuck, all named", entry(.sending(update, .init()), conflicts: OutboxEntry.stuckCount + 1)),
      ("sending, departed", entry(.sending(update, .init()), isDeparted: true)),
      ("refused", entry(.refused(update, reason: "no", isEdited: false))),
      ("refused, edited", entry(.refused(update, reason: "no", isEdited: true))),
      ("refused, assumed", entry(.refused(update, reason: "no", isEdited: false), base: row(3, 1), isAssumed: true)),
      ("refused, departed", entry(.refused(update, reason: "no", isEdited: false), isDeparted: true)),
    ]
  }()

  static let events: [(name: String, event: OutboxEvent)] = {
    func change(_ content: SyncChange.Content, _ version: String?) -> SyncChange {
      SyncChange("notes", key: key, content, version: version)
    }
    let theirs = change(.row(["x": .integer(1), "y": .integer(9)]), "9")
    return [
      ("edited", .edited(from: mine, to: row(3, 1), number: 3)),
      ("due", .due(isAfterPull: false)),
      ("sent", .sent(number: 7, version: "1")),
      ("sent again", .sentAgain),
      ("answered", .answered(.init(version: nil, lastStaged: 0))),
      ("acknowledged", .acknowledged(version: "2", OutboxLook())),
      ("acknowledged, no versions", .acknowledged(version: nil, OutboxLook())),
      ("acknowledged, its news staged", .acknowledged(version: "2", OutboxLook(isStaging: true, staged: theirs))),
      ("acknowledged, older news staged", .acknowledged(version: "12", OutboxLook(isStaging: true, staged: theirs))),
      ("acknowledged, compared before", .acknowledged(version: "2", OutboxLook(isComparedBefore: true))),
      ("acknowledged, compared since", .acknowledged(version: "2", OutboxLook(isComparedBefore: false))),
      ("conflicted", .conflicted(reason: nil)),
      ("refused", .refused(reason: "no")),
      ("parent refused", .parentRefused),
      ("failed", .failed(reason: "no network")),
      ("pulled, changed", .pulled(theirs, version: "1", .byPolicy)),
      (
        "pulled, as it is here",
        .pulled(change(.row(["x": .integer(2), "y": .integer(1)]), "9"), version: "1", .byPolicy)
      ),
      (
        "pulled, the base again",
        .pulled(change(.row(["x": .integer(1), "y": .integer(1)]), nil), version: nil, .byPolicy)
      ),
      ("pulled, deleted", .pulled(change(.deletion, "9"), version: "1", .byPolicy)),
      ("pulled, deleted, its parent deleted here", .pulled(change(.deletion, "9"), version: "1", .keepingLocal)),
      ("departed", .pulled(change(.departure, "9"), version: "1", .byPolicy)),
      (
        "pulled, edits not noted",
        .compared(row(1, 9), row: mine, version: "9", isSameVersion: true, number: 3)
      ),
      (
        "pulled, edits not noted, another version",
        .compared(row(1, 9), row: mine, version: "9", isSameVersion: false, number: 3)
      ),
      ("written", .written),
      ("all named", .allNamed),
      ("went back", .wentBack([base, mine], row: mine, number: 3)),
      ("cascaded", .cascaded(lost: mine, isRestored: false)),
      ("cascaded, restored", .cascaded(lost: mine, isRestored: true)),
      ("deleted under references", .deletedUnderReferences(row: mine, number: 3)),
      ("completed", .completed(["y": .integer(8)])),
      ("retried", .retried),
      ("discarded", .discarded),
    ]
  }()
}
