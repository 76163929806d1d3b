/// How lines are emphasized.
struct TextStyle: Hashable, Sendable {
  let isColored: Bool

  /// What the environment asks for: with `NO_COLOR`, texts are plain (https://no-color.org).
  init(environment: [String: String]) {
    isColored = environment["NO_COLOR", default: ""].isEmpty
  }

  func heading(_ text: String) -> String { styled(text, 1) }

  func note(_ text: String) -> String { styled(text, 2) }

  /// A line whose marks are inverse. One that is chosen is inverse over its whole width, and its marks aren't; where there are no colors,
  /// it has an arrow.
  func line(_ text: MarkedText, isChosen: Bool, width: Int) -> String {
    guard isColored else {
      guard isChosen else { return text.truncated(toWidth: width).text() }
      var line = MarkedText("> ")
      line.append(text)
      return line.truncated(toWidth: width).text()
    }
    let line = text.truncated(toWidth: width)
    guard isChosen else { return line.text { "\u{1B}[1;7m\($0)\u{1B}[22;27m" } }
    return styled(line.padded(toWidth: width, atEnd: false).text { "\u{1B}[1;27m\($0)\u{1B}[22;7m" }, 7)
  }

  private func styled(_ text: String, _ code: Int) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
