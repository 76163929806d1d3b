/// Text made safe for Markdown as pull requests show it.
enum MarkdownText {
  /// The text on one line, shown as it is: no markup, no HTML, no mentions, no links.
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

  /// The text on one line as code. Markup would be read inside of it, too, and in a table a bar would end the cell.
  static func code(_ text: String) -> String {
    "<code>\(inline(text))</code>"
  }

  /// The text on one line for a place where HTML is read and Markdown is not.
  static func html(_ text: String) -> String {
    var result = ""
    for scalar in HTMLFragment("\(text.visible())").text.unicodeScalars {
      append(scalar, to: &result)
    }
    return result
  }

  /// Appends a character so that it completes no mention, reference to an issue or link: an empty comment parts them.
  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    let last = text.unicodeScalars.last
    let isLink = (scalar == "/" && last == ":") || (scalar == "." && (last == "w" || last == "W"))
    if last == "@" || isLink || (last == "#" && scalar.properties.numericType != nil) { text += "<!-- -->" }
    text.unicodeScalars.append(scalar)
  }

  /// A block of code whose fence is longer than any in the code.
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

  /// A table; cells are Markdown already.
  static func table(_ header: [String], _ rows: [[String]], alignsRight: Set<Int> = []) -> String {
    let rule = header.indices.map { alignsRight.contains($0) ? "---:" : "---" }
    return ([header, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}

extension String {
  /// The text without spaces at its beginning, which could make it a block of code.
  fileprivate var trimmingSpaces: Substring {
    drop { $0 == " " }
  }
}
