import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

// Macros are programs of the machine that builds: tests for a device or a simulator have none, and expect nothing.
#if canImport(SanderlingMacros)
  import SanderlingMacros

  /// The macros as the library declares them.
  private let macros: [String: MacroSpec] = [
    "Record": MacroSpec(type: RecordMacro.self, conformances: ["StoredRecord", "Identifiable"]),
    "Projection": MacroSpec(type: ProjectionMacro.self, conformances: ["StoredProjection", "Identifiable"]),
    "Stored": MacroSpec(type: StoredMacro.self),
    "References": MacroSpec(type: ReferencesMacro.self),
    "PrimaryKey": MacroSpec(type: PrimaryKeyMacro.self),
    "Searchable": MacroSpec(type: SearchableMacro.self),
  ]
#else
  private let macros: [String: MacroSpec] = [:]
#endif

/// Expects the macros in `source` to expand to exactly this, without a problem.
func expectExpansion(
  of source: String, _ expanded: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  if macros.isEmpty { return }
  assertMacroExpansion(
    source, expandedSource: expanded, macroSpecs: macros, indentationWidth: .spaces(2),
    failureHandler: { Issue.record("\($0.message)", sourceLocation: sourceLocation) })
}

/// Expects exactly these lines in a row somewhere in the expansion of `source`, whatever their indentation.
func expectExpansion(
  of source: String, contains excerpt: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  if macros.isEmpty { return }
  let expansion = expansion(of: source)
  let isContained = lines(expansion).contains(inARow: lines(excerpt))
  #expect(isContained, "expected\n\(excerpt)\n\nin\n\(expansion)", sourceLocation: sourceLocation)
}

/// Expects no line of the expansion of `source` to contain the text.
func expectExpansion(of source: String, lacks text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
  if macros.isEmpty { return }
  let expansion = expansion(of: source)
  #expect(!expansion.contains(text), "\(expansion)", sourceLocation: sourceLocation)
}

/// Expects exactly these problems in `source`, and `fixed` to be left when every first fix-it is applied.
///
/// The expansion in spite of the problems is not compared.
func expectProblems(
  in source: String, _ problems: [DiagnosticSpec], fixed: String? = nil,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  if macros.isEmpty { return }
  assertMacroExpansion(
    source, expandedSource: "", diagnostics: problems, macroSpecs: macros, fixedSource: fixed,
    indentationWidth: .spaces(2),
    failureHandler: { failure in
      if failure.message.hasPrefix(differenceOfExpansions) { return }
      Issue.record("\(failure.message)", sourceLocation: sourceLocation)
    })
}

private let differenceOfExpansions = "Macro expansion did not produce the expected expanded source"

private func expansion(of source: String) -> String {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "TestModule", fullFilePath: "test.swift")])
  let expanded = file.expand(
    macroSpecs: macros,
    contextGenerator: { node in
      BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    },
    indentationWidth: .spaces(2))
  #expect(context.diagnostics.isEmpty, "\(context.diagnostics)")
  return expanded.description
}

/// The lines of a text without their indentation.
private func lines(_ text: String) -> [String] {
  text.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
}

extension [String] {
  fileprivate func contains(inARow other: [String]) -> Bool {
    guard count >= other.count else { return false }
    return (0...(count - other.count)).contains { self[$0...].starts(with: other) }
  }
}
