/// The emphasis of texts on a terminal. Without color, texts stay unchanged.
package struct TextStyle: Hashable, Sendable {
  package let isColored: Bool

  package init(isColored: Bool) {
    self.isColored = isColored
  }

  /// The style that the environment requests. With `NO_COLOR`, texts are plain (https://no-color.org).
  package init(environment: [String: String]) {
    isColored = environment["NO_COLOR", default: ""].isEmpty
  }

  package func heading(_ text: String) -> String { styled(text, "1") }

  package func note(_ text: String) -> String { styled(text, "2") }

  /// - Parameter code: The parameters of the control sequence SGR.
  package func styled(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
