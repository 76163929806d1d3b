import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct SanderlingPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    RecordMacro.self,
    ProjectionMacro.self,
    StoredMacro.self,
    ReferencesMacro.self,
    PrimaryKeyMacro.self,
    SearchableMacro.self,
  ]
}
