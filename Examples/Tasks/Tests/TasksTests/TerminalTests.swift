import Foundation
import Sanderling
import SanderlingTesting
import Testing

@testable import TasksModel
@testable import TasksTerminal

@Suite @MainActor struct TerminalTests {
  @Test(.timeLimit(.minutes(10))) func theAppRunsOnATerminal() async throws {
    let screen = try PseudoTerminal(columns: 100, rows: 12)
    let before = screen.flags
    let terminal = try Terminal(input: screen.device, output: screen.device)
    #expect(screen.flags != before)
    let store = try Store.tasks(2_000)
    let model = TasksModel(store, days: StillDays().days)
    let run = Task {
      await TerminalApp(model, on: terminal).run()
      terminal.close()
    }
    func sees(_ texts: String..., after keys: String = "") async throws {
      screen.type(keys)
      let frame = await screen.frame { frame in texts.allSatisfy { frame.contains($0) } }
      try #require(frame != nil, "\(texts) after \(keys.debugDescription), not \(screen.last)")
    }
    try await sees("1 Today", "› ", "overdue", "q quit")
    try await sees("2 All 2,000", "› No day", after: "2")
    try await sees("› Today", "Tomorrow", after: "t")
    try await sees("› Thu, 24 Dec", after: "g2026-12-24\r")
    try await sees("24.12. is no day, such as 2026-12-24.", after: "g24.12.\r")
    // The last task.
    let last = try #require(try await store.fetchFirst(TodoTask.order { ($0.dueOn, $0.title) }.reversed()))
    try await sees(last.title, after: "\u{1B}[F")
    try await sees("3 Projects 12", "Journey to Málaga", "━", after: "\t")
    try await sees("2 Bicycle", "› No day", after: "\r")
    try await sees("› Thu, 1 Jan", "○ oil the chain  Bicycle", after: "aoil the chain due:2026-01-01\rg2026-01-01\r")
    try await sees("Search: malaga▏", "a weekend in Málaga", after: "/malaga")
    try await sees("Nothing has these words.", after: "x")
    try await sees("A task needs a title", after: "\r1a+Garden\r")
    // Titles can't steer the terminal.
    await model.editor.add(TaskDraft(title: "e\u{1B}[2Jvil", dueOn: today.advanced(by: -100)))
    try await sees("○ e�[2Jvil", after: "\u{1B}[H")
    try await sees("u undo Complete Task", after: " ")
    try await sees("r redo Complete Task", after: "u")
    screen.resize(columns: 60, rows: 8)
    screen.type("q")
    await run.value
    #expect(screen.flags == before && screen.text.hasSuffix("\u{1B}[?1049l"))
  }

  @Test func keysAreDecodedFromPieces() {
    var decoder = KeyDecoder()
    #expect(
      decoder.keys(Array("a\u{1B}[A\u{1B}[5~\u{1B}[9;9z\t\r\u{7F}\u{3}".utf8)) == [
        .character("a"), .up, .pageUp, .tab, .enter, .backspace, .interrupt,
      ])
    #expect(decoder.keys([0xC3]) == [] && decoder.keys([0xA9]) == [.character("é")])
    #expect(decoder.keys([0x1B]) == [.escape])
  }

  @Test(arguments: [
    (["a", "b"], "b is a second file. Name one database."),
    (["--sample", "5"], "There is no option --sample."),
    (["--samples"], "--samples needs a value."),
    (["--samples", "many"], "--samples takes a number from 1 to 1000000, and not many."),
    (["--import", "/nowhere.txt"], "There is no file /nowhere.txt, or it can't be read."),
    (["--server", "http://127.0.0.1:1/v1"], "--server and --user belong together."),
    (["--server", "somewhere", "--user", "ada"], "somewhere is no address, such as http://127.0.0.1:8888/v1."),
    (["--server", "http://127.0.0.1:1/v1", "--user", "a/b"], "a/b is no user name. Use letters, digits, - and _."),
    (
      ["--server", "http://127.0.0.1:1/v1", "--user", "ada"], "Set the variable TASKS_PASSWORD to the password of ada."
    ),
  ])
  func mistakesInArgumentsAreExplained(arguments: [String], message: String) {
    let error = #expect(throws: Arguments.Mistake.self) { try Arguments(arguments, environment: [:], today: today) }
    #expect(error?.message == message)
  }

  @Test func aFileOfTasksIsRead() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tasks-\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("dig +Garden\nsow due:tomorrow\n".utf8).write(to: file)
    let error = #expect(throws: Arguments.Mistake.self) {
      try Arguments(["--import", file.path], environment: [:], today: today)
    }
    #expect(error?.message.hasPrefix("\(file.path): Line 2: due:tomorrow names no day.") == true)
    try Data("dig +Garden\n".utf8).write(to: file)
    let arguments = try Arguments(["--import", file.path, "my.sqlite"], environment: [:], today: today)
    #expect(
      arguments.drafts == [TaskDraft(title: "dig", project: "Garden")] && arguments.location == .path("my.sqlite"))
  }
}
