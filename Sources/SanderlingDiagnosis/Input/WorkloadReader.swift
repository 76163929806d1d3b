public import Foundation

/// Reads the statements to diagnose from SQL and from logs.
///
/// ```swift
/// var reader = WorkloadReader()
/// reader.add(sql: "SELECT * FROM note WHERE folderID = 3")
/// try reader.addLog(at: URL(filePath: "console.log"))
/// let report = try Diagnosis(database: url).run(reader.workload)
/// ```
///
/// Statements with the same fingerprint count as one. ``WorkloadStatement/mostPerOperation`` counts the executions
/// within one operation if the log separates operations, as Sanderling's trace does. In other logs, consecutive
/// executions of one statement count as one operation.
///
/// PRAGMAs and statements that begin or end transactions are left out. Statements that change the schema, attach a
/// database or load code are skipped with a reason. Memory is bounded, however long a log or a line is.
public struct WorkloadReader {
  private var collector: WorkloadCollector
  private let limits: Limits
  /// The number of arguments that were read.
  private var arguments = 0

  /// The limits of a reader, so that no input exhausts the memory.
  struct Limits: Sendable {
    /// In bytes; longer lines are skipped.
    var line = 1 << 20
    /// In bytes; longer statements are skipped.
    var statement = 100_000
    /// Statements beyond this number of fingerprints are only counted.
    var fingerprints = 10_000
    /// In bytes, for the SQL of all fingerprints together.
    var statements = 64 << 20
  }

  public init() {
    self.init(limits: Limits())
  }

  init(limits: Limits) {
    self.limits = limits
    collector = WorkloadCollector(limits: limits)
  }

  /// The statements that were read so far. O(statements).
  public var workload: Workload { collector.workload }

  /// Reads the statements of an SQL text.
  ///
  /// - Parameter source: The text's name in places, which then have lines. Without a name, places have the number of
  ///   the call: `argument 2`, or `argument 2, statement 3` if the text has several statements.
  public mutating func add(sql: String, source: String? = nil) {
    if source == nil { arguments += 1 }
    let statements = StatementSplitter.split(sql)
    for (number, statement) in statements.enumerated() {
      let argument = "argument \(arguments)" + (statements.count > 1 ? ", statement \(number + 1)" : "")
      let place = source.map { InputPlace(source: $0, line: statement.line) } ?? InputPlace(source: argument, line: nil)
      collector.add(LoggedStatement(sql: statement.sql, place: place))
    }
    collector.endRun()
  }

  /// Reads the statements of an SQL file, in UTF-8.
  ///
  /// - Throws: ``WorkloadReadingError`` if the file can't be read or contains no statement.
  public mutating func addSQLFile(at url: URL, named name: String? = nil) throws(WorkloadReadingError) {
    let name = name ?? url.relativePath
    let before = collector.received
    var reader = SQLFileReader(source: name, limits: limits)
    try Self.forEachLine(of: url, named: name, limit: limits.line) { line in
      reader.read(line) { collector.receive($0) }
    }
    reader.finish { collector.receive($0) }
    collector.endRun()
    guard collector.received > before else { throw .noStatements(name: name, formats: "SQL statements") }
  }

  /// Reads a log line by line, in any known format among other lines: a trace of Sanderling, output of GRDB's trace or
  /// the sqlite3 shell, console output of Core Data's SQLDebug, or SQL.
  ///
  /// - Throws: ``WorkloadReadingError`` if the file can't be read or contains no statement.
  public mutating func addLog(at url: URL, named name: String? = nil) throws(WorkloadReadingError) {
    let name = name ?? url.relativePath
    let before = collector.received
    var reader = LogReader(source: name, limits: limits)
    try Self.forEachLine(of: url, named: name, limit: limits.line) { line in
      reader.read(line) { collector.receive($0) }
    }
    reader.finish { collector.receive($0) }
    collector.endRun()
    guard collector.received > before else {
      throw .noStatements(
        name: name,
        formats: "lines of Sanderling's trace, GRDB's trace, the sqlite3 shell, Core Data's SQLDebug, or SQL statements"
      )
    }
  }

  private static func forEachLine(
    of url: URL, named name: String, limit: Int, _ body: (LineReader.Line) -> Void
  ) throws(WorkloadReadingError) {
    if name != "-" { try checkKind(of: url, named: name) }
    do {
      let file = name == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: url)
      defer { if name != "-" { try? file.close() } }
      var lines = LineReader(limit: limit)
      while let data = try file.read(upToCount: 1 << 16), !data.isEmpty {
        lines.append(data, body)
      }
      lines.finish(body)
    } catch {
      throw .unreadable(name: name, reason: SystemReason.of(error))
    }
  }

  /// Refuses folders, which have no lines, and devices, which have no end. Pipes are read until they are closed.
  private static func checkKind(of url: URL, named name: String) throws(WorkloadReadingError) {
    if ["/dev/stdin", "/dev/tty"].contains(url.path) || url.path.hasPrefix("/dev/fd/") { return }
    let path = url.resolvingSymlinksInPath().path
    switch (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType {
    case .some(.typeDirectory): throw .noFile(name: name, kind: "a folder")
    case .some(.typeCharacterSpecial), .some(.typeBlockSpecial): throw .noFile(name: name, kind: "a device")
    default: return
    }
  }
}
