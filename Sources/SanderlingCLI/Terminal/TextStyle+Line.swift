import SanderlingTerminal

extension TextStyle {
  /// Returns a line with inverse marks. A chosen line is inverse over its whole width, except for its marks. Without
  /// colors, a chosen line begins with an arrow.
  func line(_ text: MarkedText, isChosen: Bool, width: Int) -> String {
    guard isColored else {
      guard isChosen else { return text.cut(toWidth: width).text() }
      var line = MarkedText("> ")
      line.append(text)
      return line.cut(toWidth: width).text()
    }
    let line = text.cut(toWidth: width)
    guard isChosen else { return line.text { "\u{1B}[1;7m\($0)\u{1B}[22;27m" } }
    return styled(line.padded(toWidth: width, atEnd: false).text { "\u{1B}[1;27m\($0)\u{1B}[22;7m" }, "7")
  }
}
