import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

// Macros are programs of the machine that builds. Tests for a device or a simulator have none, and expect nothing.
#if canImport(SanderlingMacros)
  import SanderlingMacros

  /// The macros, with the conformances that the library declares for them.
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

/// Expects that the macros in `source` expand to exactly this code, without a problem.
func expectExpansion(
  of source: String, _ expanded: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  if macros.isEmpty { return }
  assertMacroExpansion(
    source, expandedSource: expanded, macroSpecs: macros, indentationWidth: .spaces(2),
    failureHandler: { Issue.record("\($0.message)", sourceLocation: sourceLocation) })
}

/// Expects that the expansion of `source` contains exactly these lines in a row, whatever their indentation.
func expectExpansion(
  of source: String, contains excerpt: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  if macros.isEmpty { return }
  let expansion = expansion(of: source)
  let isContained = lines(expansion).contains(inARow: lines(excerpt))
  #expect(isContained, "expected\n\(excerpt)\n\nin\n\(expansion)", sourceLocation: sourceLocation)
}

/// Expects that the expansion of `source` doesn't contain the text.
func expectExpansion(of source: String, lacks text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
  if macros.isEmpty { return }
  let expansion = expansion(of: source)
  #expect(!expansion.contains(text), "\(expansion)", sourceLocation: sourceLocation)
}

/// Expects exactly these problems in `source`, and `fixed` as the source after the first fix-it of each problem.
///
/// The expansion is not compared.
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

/// Returns the lines of a text without their indentation.
private func lines(_ text: String) -> [String] {
  text.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
}

extension [String] {
  fileprivate func contains(inARow other: [String]) -> Bool {
    guard count >= other.count else { return false }
    return (0...(count - other.count)).contains { self[$0...].starts(with: other) }
  }
}
