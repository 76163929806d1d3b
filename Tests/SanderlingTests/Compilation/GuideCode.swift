import Foundation

/// The Swift code of a guide as one source, together with the declarations and values that the code mentions.
struct GuideCode {
  /// The guide's file, below `Sources`.
  let path: String
  /// The expected number of code blocks. A block that is added to the guide must be added here.
  let count: Int
  /// Imports, and declarations of the guide's example app.
  let declarations: String
  /// Statements that precede each block and declare the values that blocks mention. `given()` is a value of any type.
  var values = ""
  /// The parameters of the view functions that contain the blocks of `viewBlocks`.
  var viewParameters = ""
  /// The numbers, from 0, of blocks whose declarations have the same names as those of other blocks.
  var separateBlocks: Set<Int> = []
  /// The numbers, from 0, of blocks that are parts of a view.
  var viewBlocks: Set<Int> = []
  /// The numbers, from 0, of blocks that other tests compile.
  var leftOut: Set<Int> = []
  /// The code that replaces parts that the guide leaves out with "…".
  var replacements: [String: String] = [:]

  static func blocks(of text: String) -> [String] {
    text.matches(of: #/(?m)^```swift\n((?s:.*?))```$/#).map { String($0.1) }
  }

  /// Returns the source to compile for a guide's text.
  func source(of text: String) -> String {
    var parts = [declarations, "func given<Value>() -> Value { fatalError() }"]
    for (number, block) in Self.blocks(of: text).enumerated() where !leftOut.contains(number) {
      let code = replacements.reduce(block) { $0.replacing($1.key, with: $1.value) }
      if viewBlocks.contains(number) {
        parts.append("@MainActor @ViewBuilder func view\(number)(\(viewParameters)) -> some View {\n\(code)}")
        continue
      }
      var statements = "", members = "", extensions = "", declared = ""
      // Static members belong to the record that a comment above them names.
      var owner = "Project"
      for chunk in Self.chunks(of: code) {
        if chunk.contains(#/^(// In \w+:\n)?static /#) {
          owner = chunk.firstMatch(of: #/^// In (\w+):/#).map { String($0.1) } ?? owner
          members += "extension \(owner) {\n\(chunk)\n}\n"
        } else if chunk.contains(#/^(nonisolated )?extension |^import /#) {
          extensions += chunk + "\n"
        } else if chunk.contains(#/^(///[^\n]*\n)*(@\w+|struct|final class|enum|func|nonisolated) ?/#) {
          declared += chunk + "\n"
        } else {
          statements += chunk + "\n"
        }
      }
      let function = "@MainActor static func statements() async throws {\n\(values)\ndo {\n\(statements)\n}\n}"
      parts.append(
        separateBlocks.contains(number)
          ? "enum Block\(number) {\n\(declared)\(function)\n}" : "\(declared)enum Block\(number) {\n\(function)\n}")
      parts += [extensions, members]
    }
    return parts.joined(separator: "\n")
  }

  /// Splits code into statements and declarations. Each begins at the margin and contains the indented lines below it.
  private static func chunks(of code: String) -> [String] {
    var chunks: [String] = []
    var goesOn = false
    for line in code.split(separator: "\n") {
      // Attributes and comments belong to the declaration below. Closing brackets and indented lines belong to the
      // chunk above.
      let isContinued = line.first == " " || line.contains(#/^[}\])]/#) || line.hasPrefix("where ")
      if isContinued || goesOn, !chunks.isEmpty {
        chunks[chunks.count - 1] += "\n" + line
      } else {
        chunks.append(String(line))
      }
      goesOn = line.contains(#/^(//|@\w+(\([^{]*\))?$|///)/#)
    }
    return chunks
  }
}
