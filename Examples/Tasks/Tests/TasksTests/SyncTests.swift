import Foundation
import Sanderling
import SanderlingTesting
import Testing

@testable import TasksModel

/// Two devices of one user, and a Kinto server on this machine.
@Suite @MainActor struct SyncTests {
  private nonisolated static let environment = ProcessInfo.processInfo.environment
  private nonisolated static let kinto = environment["SANDERLING_KINTO"].flatMap { URL(string: $0) }
  private nonisolated static let isRequired = environment["SANDERLING_SERVERS_REQUIRED"] != nil

  private func device(_ url: URL, user: String) async throws -> TasksModel {
    let store = try Store.tasks()
    return TasksModel(store, sync: try await SyncModel(store, Server(url, user: user, password: "secret")))
  }

  /// Exchanges all changes of a device with the server.
  private func exchange(_ model: TasksModel) async throws {
    let sync = try #require(model.sync)
    sync.start()
    _ = try await LiveRecorder(in: model.store) { sync.pendingCount }.first { $0 == 0 }
    await sync.refresh()
    #expect(sync.problem == nil)
    await sync.stop()
  }

  @Test(
    .enabled(if: kinto != nil || isRequired, "Needs a server: eval \"$(Scripts/servers start .build/servers kinto)\""),
    .timeLimit(.minutes(10)))
  func twoDevicesShareTheirTasks() async throws {
    let url = try #require(Self.kinto, "Start a server: Scripts/servers start .build/servers kinto")
    let user = "u" + UUID().uuidString.prefix(8).lowercased()
    let (phone, mac) = (try await device(url, user: user), try await device(url, user: user))
    await phone.editor.add(TaskDraft(title: "dig", project: "Garden", dueOn: today))
    await mac.editor.add(TaskDraft(title: "call"))
    await phone.editor.add(TaskDraft(title: "write"))
    for model in [phone, mac, phone] { try await exchange(model) }
    let all = TodoTask.order { $0.title }
    let tasks = try await phone.store.fetch(all)
    #expect(tasks.map(\.title) == ["call", "dig", "write"] && tasks[1].dueOn == today)
    #expect(try await mac.store.fetch(all) == tasks)
    #expect(try await mac.store.fetch(Project.order { $0.name }.select { $0.name }) == ["Garden", "Inbox"])

    // Changes of two columns of one task are merged, and so is an undo.
    await phone.editor.toggle(tasks[1].id)
    await mac.editor.move(tasks[1].id, to: nil)
    await mac.editor.delete(tasks[0].id)
    for model in [phone, mac, phone] { try await exchange(model) }
    let merged = try await mac.store.fetch(all)
    #expect(merged.map(\.title) == ["dig", "write"] && merged[0].isCompleted && merged[0].dueOn == nil)
    await mac.editor.undo()
    for model in [mac, phone] { try await exchange(model) }
    #expect(try await phone.store.fetch(all).map(\.title) == ["call", "dig", "write"])
    for model in [phone, mac] { try await model.close() }
  }

  @Test(.timeLimit(.minutes(10))) func changesWaitWhileTheServerCannotBeReached() async throws {
    let model = try await device(#require(URL(string: "http://127.0.0.1:9/v1")), user: "nobody")
    let sync = try #require(model.sync)
    await model.editor.add(TaskDraft(title: "dig"))
    let recorder = LiveRecorder(in: model.store) { sync.problem }
    sync.start()
    let problem = try await recorder.first { $0 != nil }
    #expect(problem?.contains("nothing answers at the address") == true, "\(problem ?? "")")
    _ = try await LiveRecorder(in: model.store) { sync.pendingCount }.first { $0 == 2 }
    try await model.close()
  }
}
