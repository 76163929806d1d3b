import Foundation
import Testing

/// The bridge to Foundation's undo manager compiles. The undo manager exists on Apple's platforms only: stand-ins
/// declare it as two different SDKs do.
@Suite(.enabled(if: BuildFolder.compiler != nil))
struct UndoManagerCompilationTests {
  @Test(arguments: [
    ("@MainActor class UndoManager", "@escaping @MainActor @Sendable (Target) -> Void"),
    ("class UndoManager", "@escaping (Target) -> Void"),
  ])
  func theBridgeCompiles(declaration: String, handler: String) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/Sanderling/Undo/UndoManager+Store.swift")
    let bridge = try String(contentsOf: file, encoding: .utf8)
      .replacing(#/#if canImport\(Darwin\)|#endif|public import Foundation/#, with: "")
      .replacing("public func", with: "func")
    let source = """
      import Foundation
      import Sanderling

      \(declaration) {
        func registerUndo<Target: AnyObject>(withTarget target: Target, handler: \(handler)) {}
        func removeAllActions(withTarget target: Any) {}
        func setActionName(_ name: String) {}
      }

      """
    #expect(try SwiftCompiler().check(source + bridge).messages == [])
  }
}
