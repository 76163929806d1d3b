import SanderlingDiagnosis

/// Builds a schema from the sections of a ``CorpusFile``. Refuses sections with unknown, missing or repeated contents.
struct CorpusSchemaReader {
  private typealias Problem = CorpusFile.Problem

  private let file: String
  private var first: CorpusFile.Section?
  private var statements: [(section: CorpusFile.Section, remedies: [CorpusFile.Section])] = []

  init(file: String) {
    self.file = file
  }

  mutating func add(_ section: CorpusFile.Section) throws {
    let title = section.title
    switch title.key {
    case "schema":
      if first != nil { throw problem(title, "A file has one schema.") }
      if title.text + ".sql" != file {
        throw problem(title, "The schema '\(title.text)' is in a file with another name.")
      }
      first = section
    case "statement":
      if first == nil { throw problem(title, "A file begins with '-- schema: NAME'.") }
      statements.append((section, []))
    default:
      guard !statements.isEmpty else { throw problem(title, "A remedy stands below its statement.") }
      if (title.key == "best") != statements[statements.count - 1].remedies.isEmpty {
        throw problem(title, "A statement has one best remedy, and others below it.")
      }
      statements[statements.count - 1].remedies.append(section)
    }
  }

  func schema() throws -> CorpusSchema {
    guard let first else { throw Problem(file: file, line: 1, text: "A file begins with '-- schema: NAME'.") }
    let headers = try Headers(
      first, file: file, known: ["about", "source", "origin", "superfluous"], repeated: ["superfluous"])
    _ = try headers.required("about")
    if first.sql.isEmpty { throw problem(first.title, "The schema has no SQL.") }
    if statements.isEmpty { throw problem(first.title, "The schema has no statements.") }
    let name = first.title.text
    var ids: Set<String> = []
    let read = try statements.map { section, remedies in
      let title = section.title
      if !title.text.hasPrefix(name + "-") || !ids.insert(title.text).inserted {
        throw problem(title, "A statement has a number of its own behind the schema's name: '\(title.text)'.")
      }
      return try statement(section, remedies)
    }
    return CorpusSchema(
      name: name, script: first.sql, statements: read,
      superfluousIndexes: try headers.all("superfluous").map(superfluousIndex), origin: headers.text("origin"))
  }

  private func superfluousIndex(_ header: CorpusFile.Header) throws -> CorpusSchema.SuperfluousIndex {
    let words = header.text.split(separator: " ").map(String.init)
    guard words.count > 1 else { throw problem(header, "A superfluous index is a kind of finding and names.") }
    return CorpusSchema.SuperfluousIndex(kind: try kind(words[0], header), names: Array(words.dropFirst()))
  }

  // MARK: Statements

  private func statement(
    _ section: CorpusFile.Section, _ remedies: [CorpusFile.Section]
  ) throws -> CorpusStatement {
    let title = section.title
    let headers = try Headers(
      section, file: file, known: ["is", "fine", "tolerated", "because", "operation", "sampled", "run"],
      repeated: ["run"],
      flags: ["fine", "sampled"])
    if section.sql.isEmpty { throw problem(title, "The statement has no SQL.") }
    let reason = try headers.required("because")
    let verdict: CorpusStatement.Verdict
    if headers.has("fine") {
      if headers.has("is") { throw problem(title, "A statement is fine, or it is something else.") }
      if let remedy = remedies.first { throw problem(remedy.title, "A statement that is fine has no remedy.") }
      verdict = .none(reason: reason, tolerated: try kinds(headers.header("tolerated")))
    } else {
      if let header = headers.header("tolerated") { throw problem(header, "Only with 'fine', findings are tolerated.") }
      guard let best = remedies.first else {
        throw problem(title, "The statement has no best remedy, and isn't 'fine'.")
      }
      let kinds = try kinds(headers.header("is"))
      if kinds.isEmpty { throw problem(title, "'is' or 'fine' is missing.") }
      verdict = .fix(
        kinds: kinds, best: try remedy(best), alternatives: try remedies.dropFirst().map(remedy), reason: reason)
    }
    let executions = try runs(headers)
    if let header = headers.header("operation"), header.text.isEmpty {
      throw problem(header, "The operation has no name.")
    }
    return CorpusStatement(
      id: title.text, sql: section.sql, executions: executions ?? [[]], logsValues: !headers.has("sampled"),
      operation: headers.text("operation"), verdict: verdict)
  }

  private func remedy(_ section: CorpusFile.Section) throws -> Remedy {
    let title = section.title
    if title.text == "design", title.key == "best" {
      guard section.headers.count == 1, section.sql.isEmpty else {
        throw problem(title, "A remedy of the design can't be run.")
      }
      return .design
    }
    if !title.text.isEmpty { throw problem(title, "There is no remedy '\(title.text)'.") }
    let headers = try Headers(
      section, file: file, known: ["index", "change", "changes results", "run"], repeated: ["index", "change", "run"],
      flags: ["changes results"])
    var changes: [String] = []
    for header in section.headers.dropFirst() where ["index", "change"].contains(header.key) {
      if header.text.isEmpty { throw problem(header, "'\(header.key)' says nothing.") }
      changes.append(
        header.key == "index" ? "CREATE INDEX corpus_best_\(changes.count + 1) ON \(header.text)" : header.text)
    }
    if changes.isEmpty, section.sql.isEmpty { throw problem(title, "The remedy changes nothing.") }
    let executions = try runs(headers)
    if section.sql.isEmpty, executions != nil || headers.has("changes results") {
      throw problem(title, "Values and results are those of a statement, and there is none.")
    }
    return Remedy(
      changes: changes, replacement: section.sql.isEmpty ? nil : section.sql, replacementExecutions: executions,
      changesResults: headers.has("changes results"))
  }

  // MARK: Headers

  private func problem(_ header: CorpusFile.Header, _ text: String) -> Problem {
    Problem(file: file, line: header.line, text: text)
  }

  private func kinds(_ header: CorpusFile.Header?) throws -> Set<FindingKind> {
    guard let header else { return [] }
    return Set(
      try header.text.split(separator: ",").map { try kind($0.trimmingCharacters(in: .whitespaces), header) })
  }

  private func kind(_ name: String, _ header: CorpusFile.Header) throws -> FindingKind {
    guard let kind = FindingKind(rawValue: name) else {
      throw problem(header, "There is no kind of finding '\(name)'.")
    }
    return kind
  }

  /// The sets of values of the headers `run`; nil without such a header.
  private func runs(_ headers: Headers) throws -> [[CorpusValue]]? {
    let all = headers.all("run")
    if all.isEmpty { return nil }
    return try all.flatMap { header in
      guard let sets = CorpusValue.sets(header.text) else {
        throw problem(
          header, "Values are numbers, NULL and texts in quotes, with ',' between them, and '|' between sets.")
      }
      return sets
    }
  }
}

/// The headers of a section by their keys.
private struct Headers {
  private let file: String
  private let section: CorpusFile.Section

  init(
    _ section: CorpusFile.Section, file: String, known: Set<String>, repeated: Set<String> = [], flags: Set<String> = []
  ) throws {
    (self.section, self.file) = (section, file)
    var seen: Set<String> = []
    for header in section.headers.dropFirst() {
      func problem(_ text: String) -> CorpusFile.Problem {
        CorpusFile.Problem(file: file, line: header.line, text: text)
      }
      if !known.contains(header.key) { throw problem("There is no header '\(header.key)' here.") }
      if !seen.insert(header.key).inserted, !repeated.contains(header.key) {
        throw problem("'\(header.key)' is there twice.")
      }
      if flags.contains(header.key), !header.text.isEmpty { throw problem("'\(header.key)' has no text.") }
    }
  }

  func all(_ key: String) -> [CorpusFile.Header] { section.headers.dropFirst().filter { $0.key == key } }
  func header(_ key: String) -> CorpusFile.Header? { all(key).first }
  func has(_ key: String) -> Bool { header(key) != nil }
  func text(_ key: String) -> String? { header(key)?.text }

  func required(_ key: String) throws -> String {
    guard let text = text(key), !text.isEmpty else {
      throw CorpusFile.Problem(file: file, line: section.title.line, text: "'\(key)' is missing.")
    }
    return text
  }
}
