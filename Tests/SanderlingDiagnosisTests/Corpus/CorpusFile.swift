import Foundation

/// A file of the corpus: a schema, its rows and its statements, as SQL with headers in comments.
///
/// ```sql
/// -- schema: tasks
/// -- about: Tasks of projects.
/// -- origin: Tasks 1.0 (MIT, Copyright its authors)
/// -- superfluous: redundant-index task_on_project
///
/// CREATE TABLE task (id INTEGER PRIMARY KEY, project INTEGER, due TEXT);
/// INSERT INTO task SELECT i, pick(1, i, 9), date(i) FROM numbers WHERE i <= 1000;
///
/// -- statement: tasks-01
/// -- is: full-scan
/// -- because: no index finds the project
/// -- run: 3, 'a' | 4, NULL
///
/// SELECT * FROM task WHERE project = ?
///
/// -- best
/// -- index: task (project)
///
/// -- or
/// -- change: ANALYZE
///
/// -- statement: tasks-02
/// -- fine
/// -- because: primary key
///
/// SELECT * FROM task WHERE id = 1
/// ```
///
/// - `schema` begins the file. Its SQL creates the database. `about` and `source` are for readers.
/// - `statement` begins a statement. `fine` says that no change pays, and `tolerated` names findings that may explain
///   why. Otherwise `is` names findings, and a tool has to name one of them. `run` has the sets of values, with `|`
///   between them. `sampled` says that the tool doesn't receive the values. `operation` says that one operation runs
///   the statement with all sets.
/// - `best` and each `or` are remedies of the statement above. `index` creates an index and `change` runs a statement.
///   SQL below replaces the statement, with the values of `run`. `changes results` says that the replacement returns
///   other rows. `best: design` is a remedy that can't be run.
///
/// A line that ends in a backslash continues in the next line. Lines that begin with `--` and three spaces continue a
/// header, each as a new line.
enum CorpusFile {
  /// A header with its text and the number of its line.
  struct Header {
    let key: String
    var text: String
    let line: Int
  }

  /// Headers and the SQL below them. The first header names the kind of the section.
  struct Section {
    var headers: [Header]
    var sql = ""

    var title: Header { headers[0] }
  }

  /// The first error of a file.
  struct Problem: Error, CustomStringConvertible {
    let file: String
    let line: Int
    let text: String

    var description: String { "\(file):\(line): \(text)" }
  }

  static func schema(at url: URL) throws -> CorpusSchema {
    guard let text = String(data: try Data(contentsOf: url), encoding: .utf8) else {
      throw Problem(file: url.lastPathComponent, line: 1, text: "It isn't UTF-8. Save it as UTF-8.")
    }
    return try schema(text, file: url.lastPathComponent)
  }

  /// - Parameter file: The name of the file, which is the schema's name and `.sql`.
  static func schema(_ text: String, file: String) throws -> CorpusSchema {
    var reader = CorpusSchemaReader(file: file)
    for section in try sections(text, file: file) { try reader.add(section) }
    return try reader.schema()
  }

  // MARK: Sections

  private static let titles: Set<String> = ["schema", "statement", "best", "or"]

  private static func sections(_ text: String, file: String) throws -> [Section] {
    var sections: [Section] = []
    /// The lines of SQL in the last section.
    var body: [String] = []
    var isInHeaders = false
    func end() {
      guard !sections.isEmpty else { return }
      let first = body.firstIndex { !$0.isEmpty } ?? body.endIndex
      let last = body.lastIndex { !$0.isEmpty } ?? body.startIndex - 1
      sections[sections.count - 1].sql = first <= last ? body[first...last].joined(separator: "\n") : ""
      body = []
    }
    for (line, number) in try joined(text, file: file) {
      let header = line.hasPrefix("-- ") ? self.header(line, number) : nil
      if let header, titles.contains(header.key), !line.hasPrefix("--   ") {
        end()
        sections.append(Section(headers: [header]))
        isInHeaders = true
      } else if sections.isEmpty {
        throw Problem(file: file, line: number, text: "A file begins with '-- schema: NAME'.")
      } else if isInHeaders, line.hasPrefix("--   ") {
        let (section, last) = (sections.count - 1, sections[sections.count - 1].headers.count - 1)
        sections[section].headers[last].text += "\n" + line.dropFirst(5)
      } else if isInHeaders, let header {
        sections[sections.count - 1].headers.append(header)
      } else {
        isInHeaders = false
        body.append(line)
      }
    }
    end()
    return sections
  }

  private static func header(_ line: String, _ number: Int) -> Header {
    let parts = line.dropFirst(3).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return Header(
      key: String(parts[0]), text: parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "", line: number)
  }

  /// The lines, with continued lines joined, and the line number of the first part of each.
  private static func joined(_ text: String, file: String) throws -> [(String, Int)] {
    var lines: [(String, Int)] = []
    var isContinued = false
    var count = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      count += 1
      let continues = line.hasSuffix("\\")
      let part = continues ? line.dropLast() : line
      if isContinued {
        let isHeader = lines[lines.count - 1].0.hasPrefix("-- ")
        if isHeader, !part.hasPrefix("--   ") {
          throw Problem(file: file, line: count, text: "A header goes on with '--' and three spaces.")
        }
        lines[lines.count - 1].0 += isHeader ? part.dropFirst(5) : part
      } else {
        lines.append((String(part), count))
      }
      isContinued = continues
    }
    if isContinued { throw Problem(file: file, line: count, text: "The file ends in a backslash.") }
    return lines
  }
}
