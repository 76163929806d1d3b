import ArgumentParser
import Foundation
import Testing

@testable import SanderlingCLI

/// The manual page in `Documentation` contains all commands and options, so `make manual` was run after the last
/// change.
struct ManualTests {
  @Test(
    arguments: [
      BrowseCommand.self, DemoCommand.self, DiagnoseCommand.self, ProfileCommand.self, RecordsCommand.self,
      SyncCommand.self, DemoSyncCommand.self,
    ]
      as [any ParsableCommand.Type])
  func thePageHasAllOptions(command: any ParsableCommand.Type) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
    let page = try String(contentsOf: root.appending(path: "Documentation/sanderling.1"), encoding: .utf8)
    let help = SanderlingCommand.helpMessage(for: command, columns: 200)
    let options = Set(help.matches(of: /--([a-z][a-z-]+)/).map { String($0.output.1) })
    #expect(options.count > (command == RecordsCommand.self ? 0 : 5))
    for option in options {
      #expect(page.contains(" -\(option)"), "make manual writes --\(option)")
    }
  }
}
