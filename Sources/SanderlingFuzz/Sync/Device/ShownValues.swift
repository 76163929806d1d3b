import Foundation
import GRDB
import Sanderling

/// The values that a device shows while it synchronises: lists and a count.
@MainActor
final class ShownValues {
  private let device: FuzzDevice
  private let notes: LiveList<DeviceRecords.Note>
  private let flagged: LiveCount
  private let own: LiveList<DeviceRecords.Own>
  /// The values shown so far, recorded by a separate task.
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

  /// Compares the shown values with SELECTs while no write runs.
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
    try await noteHistory()
    let (written, present) = try await device.ownNumbers()
    if written != present { throw SyncFuzzFailure("its own number is \(present), and the user wrote \(written)") }
  }

  /// Throws if the device's own number went back. Records the device's texts that were shown again for the final
  /// checks, because a killed process forgets them.
  func noteHistory() async throws {
    if let problem = shown.problem { throw SyncFuzzFailure(problem) }
    let back = shown.takeBack()
    if back.isEmpty { return }
    do {
      try await device.store.write { tx in
        for text in back {
          try tx.database.execute(
            sql: "INSERT INTO shown_again (key, title, other) VALUES (?, ?, ?)",
            arguments: [text.key, text.title, text.other])
        }
      }
    } catch {
      shown.giveBack(back)
      throw error
    }
  }
}

/// The states that a list showed, one after the other.
private final class ShownHistory: Sendable {
  private struct State {
    var titles: [String: String] = [:]
    /// Values that were shown and then replaced.
    var former: [String: Set<String>] = [:]
    var back: [TextShownAgain] = []
    var n = 0
    var problem: String?
  }

  /// Guards the shown values.
  private let state = Lock(State())

  var problem: String? { state.withLock { $0.problem } }

  func takeBack() -> [TextShownAgain] {
    state.withLock { state in
      defer { state.back = [] }
      return state.back
    }
  }

  func giveBack(_ texts: [TextShownAgain]) { state.withLock { $0.back += texts } }

  /// Each text is written once. So if a replaced text of this device is shown again, the replacement was undone.
  func note(_ notes: [DeviceRecords.Note], of device: String) {
    state.withLock { state in
      for note in notes {
        guard let before = state.titles.updateValue(note.title, forKey: note.id), before != note.title else { continue }
        state.former[note.id, default: []].insert(before)
        if note.title.contains(device + "-"), state.former[note.id]?.contains(note.title) == true {
          state.back.append(TextShownAgain(key: note.id, title: note.title, other: before))
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
