/// Escapes text for Markdown in pull requests.
enum MarkdownText {
  /// Returns the text on one line, shown literally: no markup, no HTML, no mentions, no links.
  static func inline(_ text: String) -> String {
    var result = ""
    for scalar in text.visible().trimmingSpaces.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "$", "!": result += "\\\(scalar)"
      default: append(scalar, to: &result)
      }
    }
    return result
  }

  /// Returns the text on one line as code. It is escaped, because markup inside `<code>` is still interpreted, and in a
  /// table a bar would end the cell.
  static func code(_ text: String) -> String {
    "<code>\(inline(text))</code>"
  }

  /// Returns the text on one line for a context in which HTML is interpreted and Markdown is not.
  static func html(_ text: String) -> String {
    var result = ""
    for scalar in HTMLFragment("\(text.visible())").text.unicodeScalars {
      append(scalar, to: &result)
    }
    return result
  }

  /// Appends a character. An empty comment before it prevents a mention, a reference to an issue or a link.
  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    let last = text.unicodeScalars.last
    let isLink = (scalar == "/" && last == ":") || (scalar == "." && (last == "w" || last == "W"))
    if last == "@" || isLink || (last == "#" && scalar.properties.numericType != nil) { text += "<!-- -->" }
    text.unicodeScalars.append(scalar)
  }

  /// Returns a block of code whose fence is longer than any in the code.
  static func fence(_ code: String, language: String) -> String {
    var longest = 0
    var run = 0
    for character in code.utf8 {
      run = character == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return "\(fence)\(language)\n\(code)\n\(fence)\n"
  }

  /// Returns a table whose cells are already Markdown.
  static func table(_ header: [String], _ rows: [[String]], alignsRight: Set<Int> = []) -> String {
    let rule = header.indices.map { alignsRight.contains($0) ? "---:" : "---" }
    return ([header, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}

extension String {
  /// The text without leading spaces, which could turn it into a code block.
  fileprivate var trimmingSpaces: Substring {
    drop { $0 == " " }
  }
}
