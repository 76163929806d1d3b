import SwiftSyntax
import SwiftSyntaxMacros

/// The lines between braces, each on its own.
func block(_ lines: [String]) -> String {
  lines.isEmpty ? "{\n}" : "{\n  " + lines.map(\.indented).joined(separator: "\n  ") + "\n}"
}

/// An array literal with one element per line.
func list(_ elements: [String]) -> String {
  elements.isEmpty ? "[]" : "[\n  " + elements.map { $0.indented + "," }.joined(separator: "\n  ") + "\n]"
}

extension String {
  /// The text for a place that is indented by two spaces: every line is indented except the first and empty ones.
  var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset == 0 || $0.element.isEmpty ? String($0.element) : "  " + $0.element }
      .joined(separator: "\n")
  }
}

/// The inheritance clause of an extension: the protocols that the type doesn't conform to already.
func inheritanceClause(_ protocols: [TypeSyntax], required: String, isIdentifiable: Bool) -> String {
  let names = protocols.compactMap { type -> String? in
    switch type.nameAndArguments?.name {
    case "Identifiable": isIdentifiable ? "Swift.Identifiable" : nil
    case "FetchableRecord": "Sanderling._FetchableRow"
    case "Selectable": "Sanderling.Selectable"
    default: required
    }
  }
  return names.isEmpty ? "" : ": " + names.joined(separator: ", ")
}

/// The lines between directives that make the compiler report errors in them at the source position of the directive.
func lines(_ text: String, at lineDirective: String) -> String {
  "\(lineDirective)\n\(text)\n#sourceLocation()"
}

extension MacroExpansionContext {
  /// The directive that assigns a node's source position to the lines generated from it.
  ///
  /// Without it, the compiler would report the error of one property at the attribute of the whole type.
  func lineDirective(of node: some SyntaxProtocol) -> String? {
    location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath).map {
      "#sourceLocation(file: \($0.file.trimmedDescription), line: \($0.line.trimmedDescription))"
    }
  }
}
