import SanderlingSQL

/// Reads logs line by line, and detects the format of each line.
struct LogReader {
  /// A statement whose further lines, values and times may still follow.
  private struct Pending {
    enum Format {
      case plain
      case coreData
    }

    var format: Format
    var lines: [String]
    var bytes: Int
    var execution: LoggedStatement
    /// Whether the text can get no further lines.
    var isTextComplete = false
    /// Whether the log recorded the end of its execution.
    var isDone = false
    /// Whether the text parses in its current form; nil if that wasn't tried.
    var parses: Bool?
  }

  private static let mostLines = 400
  /// The most lines that an incomplete statement takes without any sign that they belong to it.
  private static let mostGuessedLines = 12
  /// In bytes. Longer texts are not parsed again for each line.
  private static let longText = 20_000
  private static let mostThreads = 64

  private let source: String
  private let limits: WorkloadReader.Limits
  /// The statements that aren't complete, by the key of a log's thread. Plain statements have the empty key.
  private var pending: [String: Pending] = [:]
  private var lastThread = ""
  private var guessedLines = 0
  /// A plain statement without a time; a line with its time may follow.
  private var waiting: LoggedStatement?

  init(source: String, limits: WorkloadReader.Limits) {
    self.source = source
    self.limits = limits
  }

  mutating func read(_ line: LineReader.Line, _ body: (InputEvent) -> Void) {
    switch line {
    case .tooLong(let number):
      body(.skipped("the line is longer than \(limits.line) bytes", InputPlace(source: source, line: number)))
    case .text(let text, let number): read(text, at: InputPlace(source: source, line: number), body)
    }
  }

  /// Passes on the remaining statements.
  mutating func finish(_ body: (InputEvent) -> Void) {
    flush(where: { _ in true }, body)
    flushWaiting(body)
  }

  private mutating func read(_ line: String, at place: InputPlace, _ body: (InputEvent) -> Void) {
    if let trace = TraceLine(line) {
      finish(body)
      body(.statement(trace.execution(at: place), operationID: trace.operationID))
    } else if let (coreData, prefix) = CoreDataLine.read(line) {
      read(coreData, thread: Self.thread(of: prefix), at: place, body)
    } else if let duration = PlainLine.timerSeconds(line) {
      pending[""]?.execution.duration = duration
      if pending[""] == nil, waiting != nil { waiting?.duration = duration }
      flush("", body)
      flushWaiting(body)
    } else if !continues(Self.withoutPrompt(line), body) {
      guard let plain = PlainLine(line) else { return }
      flush("", body)
      begin(
        plain.sql, .plain, thread: "", LoggedStatement(sql: "", duration: plain.duration, place: place, isLogged: true),
        body)
    }
  }

  /// Returns a line without the sqlite3 shell's prompt for continued statements.
  private static func withoutPrompt(_ line: String) -> String {
    // In newer versions, the characters before the dots show open parentheses and quotes: `   ...> `, `(x1...> `.
    guard line.utf8.prefix(8).elementsEqual(line.utf8.prefix(3).map { $0 } + Array("...> ".utf8)) else { return line }
    return " " + line.dropFirst(8)
  }

  // MARK: Core Data

  /// Returns the key that distinguishes the threads of a log: `App[process:thread]`.
  private static func thread(of prefix: String) -> String {
    guard let open = prefix.firstIndex(of: "["), let close = prefix[open...].firstIndex(of: "]") else {
      return "CoreData"
    }
    return "CoreData" + String(prefix[open...close].prefix(60))
  }

  private mutating func read(
    _ line: CoreDataLine, thread: String, at place: InputPlace, _ body: (InputEvent) -> Void
  ) {
    if case .sql(let sql) = line {
      flush("", body)
      flush(where: \.isDone, body)
      flush(thread, body)
      if pending.count >= Self.mostThreads { finish(body) }
      begin(sql, .coreData, thread: thread, LoggedStatement(sql: "", place: place, isLogged: true), body)
      return
    }
    pending[thread]?.isTextComplete = true
    guard var execution = pending[thread]?.execution else { return }
    switch line {
    case .binding(let number, let value): execution.bindings[number] = value
    case .statementTime(let time): execution.duration = time
    case .requestTime(let time, let rows):
      execution.duration = execution.duration ?? time
      execution.rows = rows ?? execution.rows
      pending[thread]?.isDone = true
    case .rows(let rows): execution.rows = rows
    case .fault(let operation, let rows):
      execution.operation = operation
      execution.rows = rows ?? execution.rows
    case .sql, .other: break
    }
    pending[thread]?.execution = execution
  }

  // MARK: Statements of several lines

  private mutating func begin(
    _ sql: String, _ format: Pending.Format, thread: String, _ execution: LoggedStatement, _ body: (InputEvent) -> Void
  ) {
    pending[thread] = Pending(format: format, lines: [sql], bytes: sql.utf8.count, execution: execution)
    lastThread = thread
    guessedLines = 0
    if format == .plain, StatementSplitter.isComplete(sql) { pending[thread]?.isTextComplete = true }
  }

  /// Adds a line to the previous statement if the line belongs to it.
  private mutating func continues(_ line: String, _ body: (InputEvent) -> Void) -> Bool {
    guard let last = pending[lastThread], !last.isTextComplete else { return false }
    guard last.lines.count < Self.mostLines, last.bytes + line.utf8.count <= limits.statement else {
      pending[lastThread]?.isTextComplete = true
      return false
    }
    if !Self.continuesStatement(line), !Self.expectsMore(last.lines[last.lines.count - 1]) {
      guard last.bytes <= Self.longText else {
        pending[lastThread]?.isTextComplete = true
        return false
      }
      let parses = last.parses ?? Self.parses(last.lines)
      pending[lastThread]?.parses = parses
      guessedLines += 1
      if parses || guessedLines > Self.mostGuessedLines || Self.beginsWithTime(line) {
        pending[lastThread]?.isTextComplete = true
        return false
      }
      // A new statement begins here, so the previous one was cut off.
      if let plain = PlainLine(line), plain.sql == line, Self.parses([line]) {
        pending[lastThread]?.isTextComplete = true
        return false
      }
    }
    pending[lastThread]?.lines.append(line)
    pending[lastThread]?.bytes += line.utf8.count + 1
    pending[lastThread]?.parses = nil
    if last.format == .plain, line.utf8.last(where: { !$0.isSpace }) == UInt8(ascii: ";"), last.lines.count < 50,
      StatementSplitter.isComplete((last.lines + [line]).joined(separator: "\n"))
    {
      pending[lastThread]?.isTextComplete = true
    }
    return true
  }

  private static let continuations: Set<String> = [
    "AND", "AS", "CROSS", "ELSE", "END", "EXCEPT", "FROM", "FULL", "GROUP", "HAVING", "INNER", "INTERSECT", "JOIN",
    "LEFT", "LIMIT",
    "NATURAL", "OFFSET", "ON", "OR", "ORDER", "RETURNING", "RIGHT", "SET", "THEN", "UNION", "USING", "VALUES", "WHEN",
    "WHERE",
    "WINDOW",
  ]

  /// Whether a line looks like a statement's continuation: it begins with white space, a bracket, a comma or a keyword
  /// in capitals.
  private static func continuesStatement(_ line: String) -> Bool {
    guard let first = line.utf8.first else { return false }
    if first.isSpace || [UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ",")].contains(first) {
      return !line.utf8.allSatisfy(\.isSpace)
    }
    let word = String(decoding: line.utf8.prefix(10).prefix { $0.isNameByte }, as: UTF8.self)
    return continuations.contains(word.asciiUppercased)
      && (word == word.asciiUppercased || word == word.asciiLowercased)
  }

  /// Whether a line ends within a list or an expression.
  private static func expectsMore(_ line: String) -> Bool {
    guard let last = line.utf8.last(where: { !$0.isSpace }) else { return false }
    return ",(=+".utf8.contains(last)
  }

  /// Whether a line begins with a date or a time, as the lines of logs do.
  private static func beginsWithTime(_ line: String) -> Bool {
    let start = Array(line.utf8.prefix(5))
    guard start.count == 5, start[0].isDigit, start[1].isDigit else { return false }
    return start[2] == UInt8(ascii: ":") || (start[2].isDigit && start[3].isDigit && start[4] == UInt8(ascii: "-"))
  }

  private static func parses(_ lines: [String]) -> Bool {
    (try? SQLParser.parse(lines.joined(separator: "\n"))) != nil
  }

  // MARK: Handing over

  /// Passes on statements in the order in which they began.
  private mutating func flush(where isMeant: (Pending) -> Bool, _ body: (InputEvent) -> Void) {
    let meant = pending.filter { isMeant($0.value) }
      .sorted { $0.value.execution.place.line ?? 0 < $1.value.execution.place.line ?? 0 }
    for thread in meant.map(\.key) { flush(thread, body) }
  }

  private mutating func flush(_ thread: String, _ body: (InputEvent) -> Void) {
    guard let done = pending.removeValue(forKey: thread) else { return }
    var execution = done.execution
    guard done.bytes <= limits.statement else {
      body(.skipped("the statement is longer than \(limits.statement) bytes", execution.place))
      return
    }
    switch done.format {
    case .coreData:
      flushWaiting(body)
      execution.sql = Self.text(of: done)
      body(.statement(execution))
    case .plain:
      execution.sql = Self.text(of: done)
      guard Self.isStatement(execution.sql) else { return }
      merge(execution, body)
    }
  }

  /// Returns the statement's text: the longest prefix of its lines that parses, or its first line if no prefix was
  /// found.
  private static func text(of pending: Pending) -> String {
    var lines = pending.lines
    var text = lines.joined(separator: "\n")
    var attempts = 0
    if pending.lines.count > 1, !parses(lines) {
      let mostAttempts = pending.bytes > longText ? 2 : 12
      while lines.count > 1, attempts < mostAttempts {
        lines.removeLast()
        attempts += 1
        if parses(lines) {
          text = lines.joined(separator: "\n")
          break
        }
      }
      if lines.count == 1 || (attempts == mostAttempts && !parses(lines)) { text = pending.lines[0] }
    }
    return StatementSplitter.split(text).first?.sql ?? text
  }

  /// Whether a text from a log is SQL, as opposed to English that begins with a keyword.
  private static func isStatement(_ sql: String) -> Bool {
    hasCapitalKeywords(sql) || (try? SQLParser.parse(sql)).map(readsTable) ?? false
  }

  /// Whether the text counts as SQL even if the parser fails: its clauses are in capitals.
  private static func hasCapitalKeywords(_ sql: String) -> Bool {
    let text = SQLText(sql)
    let words = SQLTokenizer(text).filter { $0.kind == .word }.map { text[$0.range] }
    guard let first = words.first, first == first.asciiUppercased, first.utf8.count > 3 else { return false }
    return words.dropFirst().contains {
      ["FROM", "INTO", "SET", "TABLE", "INDEX", "VIEW", "TRIGGER", "DATABASE"].contains($0)
    }
  }

  private static func readsTable(_ statement: SQLStatement) -> Bool {
    guard case .select(let select) = statement.kind else { return true }
    return select.with != nil || select.cores.contains { $0.from != nil }
  }

  /// A trace of statements and times reports each statement twice: first without its time, then with it.
  private mutating func merge(_ execution: LoggedStatement, _ body: (InputEvent) -> Void) {
    if execution.duration != nil, let first = waiting, first.sql == execution.sql {
      waiting = nil
      var merged = execution
      merged.place = first.place
      body(.statement(merged))
      return
    }
    flushWaiting(body)
    if execution.duration == nil {
      waiting = execution
    } else {
      body(.statement(execution))
    }
  }

  private mutating func flushWaiting(_ body: (InputEvent) -> Void) {
    if let execution = waiting { body(.statement(execution)) }
    waiting = nil
  }
}
