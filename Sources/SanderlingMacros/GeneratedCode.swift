import SwiftSyntax
import SwiftSyntaxMacros

/// The lines between braces, each on its own.
func block(_ lines: [String]) -> String {
  lines.isEmpty ? "{\n}" : "{\n  " + lines.map(\.indented).joined(separator: "\n  ") + "\n}"
}

/// An array literal with one element a line.
func list(_ elements: [String]) -> String {
  elements.isEmpty ? "[]" : "[\n  " + elements.map { $0.indented + "," }.joined(separator: "\n  ") + "\n]"
}

extension String {
  /// The text for a place that is indented by two spaces: every line moves, but for the first and for empty ones.
  var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset == 0 || $0.element.isEmpty ? String($0.element) : "  " + $0.element }
      .joined(separator: "\n")
  }
}

/// The protocols that an extension adds: those of them that the type doesn't conform to already.
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

/// The lines, for the compiler to report at the source that the directive names.
func lines(_ text: String, at lineDirective: String) -> String {
  "\(lineDirective)\n\(text)\n#sourceLocation()"
}

extension MacroExpansionContext {
  /// The directive that gives a node's place in the source to generated lines that were made of it.
  ///
  /// Without it the compiler would report at the whole type's attribute what is wrong with one property.
  func lineDirective(of node: some SyntaxProtocol) -> String? {
    location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath).map {
      "#sourceLocation(file: \($0.file.trimmedDescription), line: \($0.line.trimmedDescription))"
    }
  }
}
