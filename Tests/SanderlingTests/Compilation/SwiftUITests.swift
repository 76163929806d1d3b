import Foundation
import TestPrograms
import Testing

/// The property wrappers for views, and the guide to them, compile against a module that replaces SwiftUI.
@Suite(.enabled(if: BuildFolder.compiler != nil))
struct SwiftUITests {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Makes a folder with the modules `SwiftUI` and `SanderlingSwiftUI`. The latter contains its code for Apple's
  /// platforms.
  private func makeModules() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftui-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let controls = swiftUIStandIn.deletingLastPathComponent().appending(path: "Controls.swift")
    try emit("SwiftUI", [swiftUIStandIn, controls], in: folder)
    let sources = try FileManager.default.contentsOfDirectory(
      at: Self.package.appending(path: "Sources/SanderlingSwiftUI"), includingPropertiesForKeys: nil)
    try emit("SanderlingSwiftUI", sources.filter { $0.pathExtension == "swift" }, in: folder)
    return folder
  }

  private func emit(_ module: String, _ files: [URL], in folder: URL) throws {
    let path = folder.appending(path: "\(module).swiftmodule").path
    try compile(files, in: folder, flags: ["-emit-module", "-wmo", "-module-name", module, "-emit-module-path", path])
  }

  /// Compiles files against the folder's modules first, since the build's `SanderlingSwiftUI` lacks the code for
  /// Apple's platforms.
  private func compile(_ files: [URL], in folder: URL, flags: [String]) throws {
    let compiler = try #require(BuildFolder.compiler).filter { $0 != "-typecheck" }
    let arguments =
      [compiler[0], "-I", folder.path, "-parse-as-library", "-no-color-diagnostics"] + compiler.dropFirst()
    let (output, status) = try Program.run(
      "/usr/bin/env", arguments + flags + files.map(\.path), includesErrors: true)
    try #require(status == 0, "\(output)")
    #expect(!output.contains("warning: "), "\(output)")
  }

  @Test func theWrappersAndTheGuideCompile() throws {
    let modules = try makeModules()
    defer { try? FileManager.default.removeItem(at: modules) }
    let guide = Self.package.appending(path: "Sources/SanderlingSwiftUI/Documentation.docc/InSwiftUI.md")
    let blocks = try String(contentsOf: guide, encoding: .utf8).matches(of: #/```swift\n((?s:.*?))```/#)
      .map { String($0.1) }
    #expect(blocks.count == 11)
    let code = blocks.map {
      $0.replacing(#/import (AppKit)\n+/#, with: "")
        .replacing("#Preview {", with: "@MainActor func preview() -> some View {")
    }
    let source = ([Self.records, appKitStandIn] + code).joined(separator: "\n")
    let file = modules.appending(path: "Guide.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    try compile([file], in: modules, flags: ["-typecheck"])

    // The code of the module's first documentation page, and the tutorial's views.
    let page = try String(
      contentsOf: Self.package.appending(path: "Sources/SanderlingSwiftUI/Documentation.docc/SanderlingSwiftUI.md"),
      encoding: .utf8)
    let example = page.matches(of: #/```swift\n((?s:.*?))```/#).map { String($0.1) }
    #expect(example.count == 1)
    let imports = "import SanderlingSwiftUI\nimport SwiftUI\n"
    try ([imports, Self.records] + example).joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    try compile([file], in: modules, flags: ["-typecheck"])
    let tutorial = Self.package.appending(path: "Sources/Sanderling/Documentation.docc/Resources/LiveList-3.swift")
    try compile([tutorial], in: modules, flags: ["-typecheck"])
  }

  private static let records = #"""
    import Foundation
    import Observation
    import Sanderling
    import SanderlingTesting

    @Record
    struct Project {
      var id: UUID
      var name: String
    }

    @Record
    struct TodoTask: Equatable {
      var id: UUID
      @References(Project.self, onDelete: .cascade) var projectID: UUID
      var title: String
      var isCompleted = false
      var dueAt: Date?
    }

    enum TaskFilter { case all, open }

    struct ProjectScreen: View {
      var body: some View { Text("") }
    }

    extension Store {
      static let app = try! Store(inMemory: [Project.self, TodoTask.self])
    }
    """#
}
