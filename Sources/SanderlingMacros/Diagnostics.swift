import SwiftDiagnostics
import SwiftSyntax

/// The problems found in one declaration, in the order in which they were found.
struct Diagnostics {
  private(set) var all: [Diagnostic] = []
  /// Whether the declaration has an error that the compiler reports better than a macro can.
  private(set) var leavesErrorsToCompiler = false

  var hasErrors: Bool { leavesErrorsToCompiler || !all.isEmpty }

  mutating func report(_ problem: Problem, at node: some SyntaxProtocol, _ fixIt: FixIt? = nil) {
    all.append(Diagnostic(node: node, message: problem, fixIts: fixIt.map { [$0] } ?? []))
  }

  mutating func leaveToCompiler() {
    leavesErrorsToCompiler = true
  }
}

extension TokenSyntax {
  /// The white space before the token, if the token is the first one of its line.
  var indentationOfLine: String {
    Trivia(pieces: leadingTrivia.reversed().prefix { $0.isSpaceOrTab }.reversed()).description
  }
}

extension FixIt {
  static func insert(_ text: String, before node: some SyntaxProtocol, _ correction: Correction) -> FixIt {
    let position = node.positionAfterSkippingLeadingTrivia
    return replace(position..<position, in: node, with: text, correction)
  }

  static func insert(_ text: String, after node: some SyntaxProtocol, _ correction: Correction) -> FixIt {
    let position = node.endPositionBeforeTrailingTrivia
    return replace(position..<position, in: node, with: text, correction)
  }

  static func replace(_ node: some SyntaxProtocol, with text: String, _ correction: Correction) -> FixIt {
    replace(node.trimmedRange, in: node, with: text, correction)
  }

  /// Removes the node and the space after it.
  static func remove(_ node: some SyntaxProtocol, _ correction: Correction) -> FixIt {
    let range = node.positionAfterSkippingLeadingTrivia..<node.endPosition
    return replace(range, in: node, with: "", correction)
  }

  private static func replace(
    _ range: Range<AbsolutePosition>, in node: some SyntaxProtocol, with text: String, _ correction: Correction
  ) -> FixIt {
    FixIt(message: correction, changes: [.replaceText(range: range, with: text, in: Syntax(node))])
  }
}
