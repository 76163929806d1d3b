import Foundation
import SanderlingSQLite

/// Creates a database from a profile. Confined to the thread that runs it.
struct DatabaseGenerator {
  private let content: ProfileContent
  private let seed: UInt64
  private let progress: (String) -> Void

  init(_ content: ProfileContent, seed: UInt64, progress: @escaping (String) -> Void) {
    self.content = content
    self.seed = seed
    self.progress = progress
  }

  /// Generates the database.
  ///
  /// - Throws: `ProfileError`.
  func generate(at url: URL) throws -> GeneratedDatabase {
    let path = url.path
    guard !FileManager.default.fileExists(atPath: path) else { throw ProfileError.fileExists(path: path) }
    // The unfinished file is in the same folder, so that it can be moved in one step.
    let unfinished = path + ".\(UUID().uuidString).unfinished"
    guard FileManager.default.createFile(atPath: unfinished, contents: nil, attributes: [.posixPermissions: 0o600])
    else {
      throw ProfileError.notWritable(path: path, reason: "no file can be made in its folder")
    }
    defer {
      for end in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: unfinished + end) }
    }
    do {
      let generated = try fill(unfinished)
      // Unlike a move, a link never replaces a file that was created meanwhile.
      guard link(unfinished, path) == 0 else {
        if errno == EEXIST { throw ProfileError.fileExists(path: path) }
        do { try FileManager.default.moveItem(atPath: unfinished, toPath: path) } catch {
          throw ProfileError.notWritable(path: path, reason: "the complete file can't be moved there")
        }
        return generated
      }
      return generated
    } catch let error as DiagnosisError {
      throw ProfileError.notWritable(path: path, reason: error.description)
    }
  }

  private func fill(_ path: String) throws -> GeneratedDatabase {
    let connection = try SQLiteConnection(path: path, mode: .copy)
    let standIns = StandIns()
    connection.install(standIns)
    for setting in [
      "page_size = \(content.database.pageSize)", "auto_vacuum = \(content.database.autoVacuum)", "journal_mode = OFF",
      "synchronous = OFF", "foreign_keys = OFF", "ignore_check_constraints = ON", "cache_size = -65536",
    ] {
      try connection.run("PRAGMA \(setting)")
    }
    for object in content.schema where [.table, .fullText].contains(object.kind) { try make(object, on: connection) }
    // Unique indexes must exist while rows are generated, because they refuse duplicates. The others are built faster
    // at the end.
    let indexes = content.schema.filter { $0.kind == .index }
    for index in indexes where isUnique(index) { try make(index, on: connection) }
    if content.statistics != nil { try connection.run("ANALYZE") }
    let schema = try DatabaseSchemaReader(connection: connection, countingTime: .zero).read()
    var notes: [String] = []
    var rows: Int64 = 0
    for table in content.tables where !isIndexedAgain(table.name) {
      progress("Filling \(table.name)")
      var generator = try TableGenerator(
        table, domains: content.domains, schema: schema.table(table.name), seed: seed, on: connection)
      let written = try generator.fill()
      rows += written
      if written < table.rows {
        notes.append("\(table.name) has \(written) of \(table.rows) rows: more rows would break a constraint.")
      }
    }
    progress("Making indexes")
    for object in content.schema where object.kind == .fullText && isIndexedAgain(object.name) {
      let name = object.name.quotedIdentifier
      try connection.run("INSERT INTO \(name) (\(name)) VALUES ('rebuild')")
    }
    for index in indexes where !isUnique(index) { try make(index, on: connection) }
    for object in content.schema where object.kind == .view { try make(object, on: connection) }
    for object in content.schema where object.kind == .trigger { try make(object, on: connection) }
    try writeStatistics(on: connection)
    notes += try violations(schema, on: connection)
    // The mode must be set before the app's next connection opens the file.
    if content.database.usesWriteAheadLog { try connection.run("PRAGMA journal_mode = WAL") }
    return GeneratedDatabase(seed: seed, rows: rows, notes: notes)
  }

  // MARK: Schema

  private func make(_ object: ProfiledObject, on connection: SQLiteConnection) throws {
    let words = object.sql.split(maxSplits: 3) { $0.isWhitespace }.prefix(3).map { $0.uppercased() }
    let allowed: Set<String> =
      switch object.kind {
      case .table: ["TABLE"]
      case .index: ["INDEX", "UNIQUE"]
      case .view: ["VIEW"]
      case .trigger: ["TRIGGER"]
      case .fullText: ["VIRTUAL"]
      }
    // The profile's file may come from any source.
    guard words.count == 3, words[0] == "CREATE", allowed.contains(words[1]) else {
      throw ProfileError.damaged(part: "the \(object.kind.rawValue) \(object.name)")
    }
    do {
      try connection.run(object.sql)
    } catch DiagnosisError.statement(_, let reason) {
      throw ProfileError.schema(name: "\(object.kind.rawValue) \(object.name)", reason: reason)
    } catch DiagnosisError.unavailable(_, let reason) {
      throw ProfileError.schema(name: "\(object.kind.rawValue) \(object.name)", reason: reason)
    }
  }

  private func isUnique(_ index: ProfiledObject) -> Bool {
    index.sql.uppercased().hasPrefix("CREATE UNIQUE")
  }

  /// Whether a table is a full-text table with the texts of another table.
  private func isIndexedAgain(_ name: String) -> Bool {
    guard let sql = content.schema.first(where: { $0.kind == .fullText && $0.name == name })?.sql else { return false }
    return FullTextContent.table(of: sql) != nil
  }

  private func writeStatistics(on connection: SQLiteConnection) throws {
    guard let statistics = content.statistics else { return }
    try connection.run("DELETE FROM sqlite_stat1")
    for row in statistics where row.count == 3 {
      try connection.run("INSERT INTO sqlite_stat1 VALUES (?, ?, ?)", row.map { $0.map(BoundValue.text) ?? .null })
    }
  }

  // MARK: What could not be honoured

  private func violations(_ schema: DatabaseSchema, on connection: SQLiteConnection) throws -> [String] {
    var notes: [String] = []
    for table in schema.tables where table.kind == .ordinary {
      for check in table.checks {
        let sql = "SELECT count(*) FROM \(table.name.quotedIdentifier) WHERE NOT (\(check))"
        if let count = (try? connection.value(sql))??.integer, count > 0 {
          notes.append("\(count) rows of \(table.name) don't fulfil a CHECK: its condition is more than a comparison.")
        }
      }
    }
    let orphans = try? connection.rows(
      "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2")
    for row in orphans ?? [] {
      guard let table = row[0].text, let parent = row[1].text, let count = row[2].integer else { continue }
      notes.append(
        "\(count) rows of \(table) refer to rows of \(parent) that don't exist, as in the original or for lack of room."
      )
    }
    return notes
  }
}

/// The option `content` of full-text tables.
enum FullTextContent {
  /// Returns the table whose texts are indexed; nil for a table with its own texts, and for one without stored texts.
  static func table(of sql: String) -> String? {
    guard let match = sql.firstMatch(of: /(?i)[(,]\s*content\s*=\s*("[^"]*"|'[^']*'|[^\s,)'"]+)/) else { return nil }
    let name = String(match.output.1)
    let unquoted = name.withoutQuotes
    return unquoted.isEmpty ? nil : unquoted
  }
}
