import Foundation
import GRDB
import Sanderling

/// What a device shows while it is synchronised: lists and a count that follow it.
@MainActor
final class ShownValues {
  private let device: FuzzDevice
  private let notes: LiveList<DeviceRecords.Note>
  private let flagged: LiveCount
  private let own: LiveList<DeviceRecords.Own>
  /// What was shown before, which comes by a task of its own.
  private let shown = ShownHistory()
  private var task: Task<Void, Never>?

  init(_ device: FuzzDevice) {
    self.device = device
    notes = device.store.liveList(DeviceRecords.Note.order { $0.id }, window: 1000, start: .immediate)
    flagged = device.store.liveCount(DeviceRecords.Note.where { $0.flag == 1 }, start: .immediate)
    let name = device.settings.name
    own = device.store.liveList(DeviceRecords.Own.where { $0.id == name }.order { $0.id }, window: 2, start: .immediate)
    let (noteSnapshots, ownSnapshots) = (notes.snapshots, own.snapshots)
    task = Task { [shown] in
      async let first: Void = {
        for await snapshot in noteSnapshots {
          shown.note(Array(snapshot.rows), of: name)
        }
      }()
      async let second: Void = {
        for await snapshot in ownSnapshots {
          guard let n = snapshot.rows.first?.n else { continue }
          shown.note(n)
        }
      }()
      _ = await (first, second)
    }
  }

  func close() { task?.cancel() }

  /// Compares what is shown with what SELECTs say, while nothing is written.
  func check() async throws {
    try await notes.caughtUp()
    try await flagged.caughtUp()
    try await own.caughtUp()
    let (rows, count) = try await device.store.read { tx in
      let rows = try Row.fetchAll(tx.database, sql: "SELECT id, title, flag FROM note ORDER BY id")
        .map { [$0[0], $0[1], String($0[2] as Int)] as [String] }
      return (rows, rows.count { $0[2] == "1" })
    }
    let live = notes.rows.map { [$0.id, $0.title, String($0.flag)] }
    if live != rows { throw SyncFuzzFailure("the list of notes shows \(live), and there are \(rows)") }
    if flagged.value != count {
      throw SyncFuzzFailure("the count shows \(String(describing: flagged.value)) of \(count)")
    }
    try await checkHistory()
    let (written, present) = try await device.ownNumbers()
    if written != present { throw SyncFuzzFailure("its own number is \(present), and the user wrote \(written)") }
  }

  /// Throws when a write of this device's was undone and done again, and no log says why.
  func checkHistory() async throws {
    if let problem = shown.problem { throw SyncFuzzFailure(problem) }
    for undone in shown.takeUndone() {
      // A row that lost as a whole, or whose deletion did, is as the server has it, which may be as it was here before. The user may have put
      // a row's text into another one, and back.
      // What isn't the last that was written was brought back by others: the log of the device that did has why.
      let isLogged = try await device.store.read { tx in
        try Bool.fetchOne(
          tx.database,
          sql: "SELECT EXISTS (SELECT 1 FROM sanderling_sync_conflicts WHERE record = 'note' AND instr(lost, ?)) "
            + "OR EXISTS (SELECT 1 FROM sanderling_sync_conflicts WHERE record = 'note' AND kind = 'deletion' "
            + "AND json_extract(key, '$[0]') = ?) "
            + "OR (SELECT count(*) FROM journal WHERE record = 'note' AND key = ? AND \"column\" = 'title' AND new = ?) > 1 "
            + "OR (SELECT new FROM journal WHERE record = 'note' AND key = ? AND \"column\" = 'title' ORDER BY id DESC LIMIT 1) IS NOT ?",
          arguments: [undone.between, undone.key, undone.key, undone.title, undone.key, undone.title]) ?? false
      }
      if isLogged { continue }
      throw SyncFuzzFailure(
        "note \(undone.key) was \(undone.title), then \(undone.between), and then \(undone.title) again, and no log says why"
      )
    }
  }
}

/// What a list showed, one state after the other.
private final class ShownHistory: Sendable {
  private struct State {
    var titles: [String: String] = [:]
    /// Values that were shown and are no more.
    var former: [String: Set<String>] = [:]
    var undone: [Undone] = []
    var n = 0
    var problem: String?
  }

  /// A text that was there again when another had been in its place.
  struct Undone {
    var key: String
    var title: String
    var between: String
  }

  /// Guards what was shown.
  private let state = Lock(State())

  var problem: String? { state.withLock { $0.problem } }

  func takeUndone() -> [Undone] {
    state.withLock { state in
      defer { state.undone = [] }
      return state.undone
    }
  }

  /// A text is written once. So one of this device's that was replaced and comes back was undone, and done again.
  func note(_ notes: [DeviceRecords.Note], of device: String) {
    state.withLock { state in
      for note in notes {
        guard let before = state.titles.updateValue(note.title, forKey: note.id), before != note.title else { continue }
        state.former[note.id, default: []].insert(before)
        if note.title.contains(device + "-"), state.former[note.id]?.contains(note.title) == true {
          state.undone.append(Undone(key: note.id, title: note.title, between: before))
        }
      }
    }
  }

  func note(_ n: Int) {
    state.withLock { state in
      if n < state.n { state.problem = "its own number was \(state.n), and then \(n) again" }
      state.n = n
    }
  }
}
