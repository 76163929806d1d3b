public import Foundation

/// The shapes of a database's rows without its values. From a profile, a database can be generated on which the same
/// statements are slow.
///
/// ```swift
/// let profile = try DatabaseProfile.of(database, workload: reader.workload)
/// try profile.json.write(to: file)
/// // Elsewhere:
/// let generated = try DatabaseProfile(json: Data(contentsOf: file)).generate(at: copy, seed: 1)
/// ```
///
/// A profile has the schema's names, the numbers of rows, the frequencies and lengths of values, the relations between
/// columns, and the order of rows on the disk. It contains no text, number or blob of a row or of a statement, except
/// 0, 1 and the numbers that continue from there without a gap. Literals of the schema and of statements are replaced
/// by others that find as many rows.
public struct DatabaseProfile: Sendable {
  /// The budgets and other settings for making a profile.
  public struct Options: Sendable {
    /// The time for all work except copying the database. Afterwards, columns are profiled from a sample, which
    /// ``notes`` mention.
    public var timeBudget = Duration.seconds(60)
    /// Bytes that the copy may take.
    public var diskBudget: Int64 = 8 << 30
    /// The folder for the copy; nil for the system's temporary folder.
    public var temporaryFolder: URL?
    /// Replaces `timeBudget` in tests. It ends the work at a certain check of the time, independent of a clock.
    var deadline: Deadline?

    public init() {}
  }

  let content: ProfileContent

  init(content: ProfileContent) {
    self.content = content
  }

  /// Profiles a database from a copy, which is removed at the end. The database is opened for reading and never
  /// changed.
  ///
  /// Runs on the calling thread. O(rows · columns), up to the time budget.
  ///
  /// - Parameters:
  ///   - database: The database file. Its write-ahead log is read, too.
  ///   - workload: Statements. The profile relates the columns that they compare, and contains the statements with
  ///     other values.
  ///   - progress: Called with a description of the next step, on the calling thread.
  /// - Throws: ``DiagnosisError`` if the database can't be copied or read.
  public static func of(
    _ database: URL, workload: Workload = Workload(), options: Options = Options(), progress: ((String) -> Void)? = nil
  ) throws -> DatabaseProfile {
    var profiler = try DatabaseProfiler(database, workload: workload, options: options, progress: progress ?? { _ in })
    return DatabaseProfile(content: try profiler.content())
  }

  /// Reads a profile's file.
  ///
  /// - Throws: ``ProfileError`` if the file is no profile, or has an unknown version.
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

  /// The profile's file: one JSON object with its keys in alphabetical order. The same database always gives the same
  /// file.
  public var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      return Data(Self.withShortLists(String(decoding: try encoder.encode(content), as: UTF8.self)).utf8)
    }
  }

  /// Returns the JSON with lists of numbers on one line. Texts in JSON contain no line breaks, so no line is part of a
  /// text.
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

  /// The number of rows of a generated database.
  public var rows: Int64 { content.tables.reduce(0) { $0 + $1.rows } }

  /// The statements with the values of generated databases, as a trace in JSON lines that ``WorkloadReader`` reads;
  /// empty without statements.
  public var trace: String { ProfileTrace(content.statements).text }

  /// Generates a database. The same profile and seed give the same rows.
  ///
  /// Runs on the calling thread, in memory that doesn't grow with the rows. O(rows · columns). The file appears when it
  /// is complete.
  ///
  /// - Parameters:
  ///   - url: A file that doesn't exist yet.
  ///   - seed: The seed of the random choices.
  ///   - progress: Called with a description of the next step, on the calling thread.
  /// - Throws: ``ProfileError`` if the file exists or can't be created.
  @discardableResult
  public func generate(
    at url: URL, seed: UInt64, progress: ((String) -> Void)? = nil
  ) throws -> GeneratedDatabase {
    try DatabaseGenerator(content, seed: seed, progress: progress ?? { _ in }).generate(at: url)
  }
}

/// A database that was generated from a profile.
public struct GeneratedDatabase: Sendable {
  /// The seed of the random choices. The same profile and seed give the same rows.
  public var seed: UInt64
  /// The number of rows in all tables.
  public var rows: Int64
  /// The parts of the profile's schema that could not be generated, in sentences.
  public var notes: [String]

  public init(seed: UInt64, rows: Int64, notes: [String]) {
    self.seed = seed
    self.rows = rows
    self.notes = notes
  }
}
