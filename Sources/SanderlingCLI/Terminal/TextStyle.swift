/// How lines are emphasized.
struct TextStyle: Hashable, Sendable {
  let isColored: Bool

  /// What the environment asks for: with `NO_COLOR`, texts are plain (https://no-color.org).
  init(environment: [String: String]) {
    isColored = environment["NO_COLOR", default: ""].isEmpty
  }

  func heading(_ text: String) -> String { styled(text, 1) }

  func note(_ text: String) -> String { styled(text, 2) }

  /// A line that is chosen, marked over its whole width; with an arrow where there are no colors.
  func chosen(_ text: String, width: Int) -> String {
    guard isColored else { return ("> " + text).truncated(toWidth: width) }
    return styled(text + String(repeating: " ", count: max(0, width - text.terminalWidth)), 7)
  }

  private func styled(_ text: String, _ code: Int) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
