/// The emphasis of texts in a terminal; without colour, texts are unchanged.
struct TerminalStyle: Hashable, Sendable {
  let isColored: Bool

  func heading(_ text: String) -> String { styled(text, "1") }

  func note(_ text: String) -> String { styled(text, "2") }

  func good(_ text: String) -> String { styled(text, "32") }

  func hot(_ text: String) -> String { styled(text, "1;31") }

  func severity(_ severity: Severity, _ text: String) -> String {
    switch severity {
    case .wrongResult: styled(text, "1;35")
    case .error: styled(text, "1;31")
    case .warning: styled(text, "33")
    case .note: styled(text, "36")
    }
  }

  private func styled(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
