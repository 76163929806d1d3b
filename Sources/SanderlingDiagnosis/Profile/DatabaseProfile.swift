public import Foundation

/// The shapes of a database's rows without its values, from which a database is made on which the same statements are slow.
///
/// ```swift
/// let profile = try DatabaseProfile.of(database, workload: reader.workload)
/// try profile.json.write(to: file)
/// // Elsewhere:
/// let generated = try DatabaseProfile(json: Data(contentsOf: file)).generate(at: copy, seed: 1)
/// ```
///
/// It has the schema's names, the numbers of rows, the frequencies and lengths of values, the relations between columns, and the order of
/// rows on the disk. It holds no text, number or blob of a row or of a statement, except 0, 1 and the numbers that follow each other from
/// there. Literals of the schema and of statements are replaced by others that find as many rows.
public struct DatabaseProfile: Sendable {
  /// The budgets and other settings for making a profile.
  public struct Options: Sendable {
    /// The time for everything but copying the database. Afterwards, columns are profiled from a sample, and ``notes`` say so.
    public var timeBudget = Duration.seconds(60)
    /// Bytes that the copy may take.
    public var diskBudget: Int64 = 8 << 30
    /// Where the copy is made; nil for the system's temporary folder.
    public var temporaryFolder: URL?
    /// Replaces `timeBudget` in tests: it ends the work at a certain check of the time, independent of a clock.
    var deadline: Deadline?

    public init() {}
  }

  let content: ProfileContent

  init(content: ProfileContent) {
    self.content = content
  }

  /// Reads a database's shapes from a copy, which is removed at the end. The database is opened for reading and never changed.
  ///
  /// Runs on the calling thread. O(rows · columns), up to the time budget.
  ///
  /// - Parameters:
  ///   - database: The database file. Its write-ahead log is read, too.
  ///   - workload: Statements. The profile relates the columns that they compare, and contains the statements with other values.
  ///   - progress: Called with a description of the next step, on the calling thread.
  /// - Throws: ``DiagnosisError`` when the database can't be copied or read.
  public static func of(
    _ database: URL, workload: Workload = Workload(), options: Options = Options(), progress: ((String) -> Void)? = nil
  ) throws -> DatabaseProfile {
    var profiler = try DatabaseProfiler(database, workload: workload, options: options, progress: progress ?? { _ in })
    return DatabaseProfile(content: try profiler.content())
  }

  /// Reads a profile's file.
  ///
  /// - Throws: ``ProfileError`` when it is none, or is of a version that isn't known here.
  public init(json: Data) throws(ProfileError) {
    struct Head: Decodable {
      var format: String
      var version: Int
    }
    let decoder = JSONDecoder()
    guard let head = try? decoder.decode(Head.self, from: json), head.format == ProfileContent.formatName else {
      throw .notAProfile
    }
    guard head.version == ProfileContent.currentVersion else { throw .unknownVersion(head.version) }
    do {
      content = try decoder.decode(ProfileContent.self, from: json)
    } catch {
      throw .damaged(part: "its JSON")
    }
    try content.check()
  }

  /// The profile's file: one JSON object, keys in alphabetical order, the same for the same database.
  public var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      return Data(Self.withShortLists(String(decoding: try encoder.encode(content), as: UTF8.self)).utf8)
    }
  }

  /// The JSON with lists of numbers on one line. Texts in JSON contain no line breaks, so no line is part of a text.
  private static func withShortLists(_ json: String) -> String {
    var lines: [Substring] = []
    var list: [Substring]?
    for line in json.split(separator: "\n") {
      let content = line.drop { $0 == " " }
      if let open = list {
        if content.hasPrefix("]") {
          let last = lines.removeLast()
          lines.append(last + open.joined() + content)
          list = nil
        } else if content.utf8.allSatisfy({ $0.isDigit || [0x2c, 0x2d, 0x2e, 0x45, 0x65].contains($0) }) {
          list = open + [content.replacing(",", with: ", ")[...]]
        } else {
          // Any other list stays unchanged.
          let indent = line.prefix { $0 == " " }
          lines += open.map { indent + $0 }
          lines.append(line)
          list = line.hasSuffix("[") ? [] : nil
        }
      } else {
        lines.append(line)
        if line.hasSuffix("[") { list = [] }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The limits of the profile, in sentences: the parts that were sampled or left out.
  public var notes: [String] { content.notes }

  /// How many rows a generated database has.
  public var rows: Int64 { content.tables.reduce(0) { $0 + $1.rows } }

  /// The statements with the values of generated databases, as a trace in JSON lines that ``WorkloadReader`` reads; empty without any.
  public var trace: String { ProfileTrace(content.statements).text }

  /// Makes a database. The same profile and seed make the same rows.
  ///
  /// Runs on the calling thread, in memory that doesn't grow with the rows. O(rows · columns). The file appears when it is complete.
  ///
  /// - Parameters:
  ///   - url: A file that doesn't exist yet.
  ///   - seed: Which of the possible databases to make.
  ///   - progress: Called with a description of the next step, on the calling thread.
  /// - Throws: ``ProfileError`` when the file exists or can't be made.
  @discardableResult
  public func generate(
    at url: URL, seed: UInt64, progress: ((String) -> Void)? = nil
  ) throws -> GeneratedDatabase {
    try DatabaseGenerator(content, seed: seed, progress: progress ?? { _ in }).generate(at: url)
  }
}

/// A database that was generated from a profile.
public struct GeneratedDatabase: Sendable {
  /// The seed of the random choices: the same profile and seed make the same rows.
  public var seed: UInt64
  /// The number of rows in all tables.
  public var rows: Int64
  /// The parts of the profile's schema that could not be honoured, in sentences.
  public var notes: [String]

  public init(seed: UInt64, rows: Int64, notes: [String]) {
    self.seed = seed
    self.rows = rows
    self.notes = notes
  }
}
