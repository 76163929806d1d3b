import SanderlingTerminal

extension TextStyle {
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
}
