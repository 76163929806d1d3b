import SanderlingSQL

/// Reads SQL files piece by piece.
struct SQLFileReader {
  private let source: String
  private let limits: WorkloadReader.Limits
  private var buffer = ""
  private var bufferLine = 1
  /// The line after the last read line.
  private var nextLine = 1
  /// Whether the rest of a too long statement is being skipped.
  private var isSkipping = false

  init(source: String, limits: WorkloadReader.Limits) {
    self.source = source
    self.limits = limits
  }

  mutating func read(_ line: LineReader.Line, _ body: (InputEvent) -> Void) {
    switch line {
    case .tooLong(let number):
      finish(body)
      body(.skipped("the line is longer than \(limits.line) bytes", InputPlace(source: source, line: number)))
      (isSkipping, nextLine, bufferLine) = (false, number + 1, number + 1)
    case .text(let text, let number):
      nextLine = number + 1
      if isSkipping {
        isSkipping = text.utf8.last(where: { !$0.isSpace }) != UInt8(ascii: ";")
        bufferLine = nextLine
        return
      }
      buffer += text + "\n"
      if buffer.utf8.count > 4 * limits.statement { split(isLast: false, body) }
    }
  }

  /// Reads the rest of the text.
  mutating func finish(_ body: (InputEvent) -> Void) {
    split(isLast: true, body)
  }

  private mutating func split(isLast: Bool, _ body: (InputEvent) -> Void) {
    let firstLine = bufferLine
    let text = SQLText(buffer)
    (buffer, bufferLine) = ("", nextLine)
    for statement in StatementSplitter.split(String(decoding: text.bytes, as: UTF8.self)) {
      let line = firstLine + statement.line - 1
      let place = InputPlace(source: source, line: line)
      if statement.isTerminated || isLast {
        body(.statement(LoggedStatement(sql: statement.sql, place: place)))
      } else if statement.range.count > limits.statement {
        body(.skipped("the statement is longer than \(limits.statement) bytes", place))
        isSkipping = true
      } else {
        buffer = text[statement.range.lowerBound..<text.bytes.count]
        bufferLine = line
      }
    }
  }
}
