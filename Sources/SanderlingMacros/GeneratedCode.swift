import SwiftSyntax
import SwiftSyntaxMacros

/// A block of code: lines between braces.
func block(_ lines: [String]) -> String {
  lines.isEmpty ? "{\n}" : "{\n  " + lines.map(\.indented).joined(separator: "\n  ") + "\n}"
}

/// An array literal with one element per line.
func list(_ elements: [String]) -> String {
  elements.isEmpty ? "[]" : "[\n  " + elements.map { $0.indented + "," }.joined(separator: "\n  ") + "\n]"
}

extension String {
  /// Indents each line by two spaces, except the first line and empty lines.
  var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset == 0 || $0.element.isEmpty ? String($0.element) : "  " + $0.element }
      .joined(separator: "\n")
  }
}

/// The inheritance clause of an extension, with the protocols that the type doesn't conform to already.
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

/// Lines between two directives. The compiler reports errors in the lines at the source position that `lineDirective`
/// names.
func lines(_ text: String, at lineDirective: String) -> String {
  "\(lineDirective)\n\(text)\n#sourceLocation()"
}

extension MacroExpansionContext {
  /// The directive that assigns a node's source position to the lines generated from it.
  ///
  /// Without the directive, the compiler would report the error of one property at the attribute of the whole type.
  func lineDirective(of node: some SyntaxProtocol) -> String? {
    location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath).map {
      "#sourceLocation(file: \($0.file.trimmedDescription), line: \($0.line.trimmedDescription))"
    }
  }
}
