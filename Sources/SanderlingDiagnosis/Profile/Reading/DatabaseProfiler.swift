import Foundation
import SanderlingSQLite

/// Creates a profile from a copy of a database. Confined to the thread that runs it.
struct DatabaseProfiler {
  let copy: DatabaseCopy
  let schema: DatabaseSchema
  private let workload: Workload
  private let uses: WorkloadUses
  private let deadline: Deadline
  private let progress: (String) -> Void
  var connection: SQLiteConnection { copy.connection }

  private var dictionaries: [ColumnKey: ColumnDictionary] = [:]
  private var notes: [String] = []
  private var tables: [ProfiledTable] = []

  /// The mean length in bytes above which texts are not compared as a whole.
  private static let longestCounted = 64.0
  private static let mostNamedPlaces = 60
  private static let mostJointColumns = 12

  /// Copies the database. Throws `DiagnosisError`.
  init(
    _ database: URL, workload: Workload, options: DatabaseProfile.Options, progress: @escaping (String) -> Void
  ) throws {
    self.workload = workload
    self.progress = progress
    progress("Copying the database")
    var copying = DatabaseCopy.Options()
    copying.diskBudget = options.diskBudget
    copying.temporaryFolder = options.temporaryFolder
    copy = try DatabaseCopy(of: database, options: copying)
    deadline = options.deadline ?? Deadline(after: options.timeBudget)
    progress("Reading the schema")
    schema = try DatabaseSchemaReader(connection: copy.connection, countingTime: options.timeBudget * 0.2).read()
    copy.connection.names = schema.names
    uses = WorkloadUses(workload, schema: schema, on: copy.connection)
    // Each statement has its own transaction. If the budget ends a write, SQLite rolls back the whole transaction,
    // which would include the values counted before.
  }

  mutating func content() throws -> ProfileContent {
    for table in schema.tables where table.kind == .ordinary { try count(table) }
    var domains = try ColumnDomains(dictionaries, schema: schema, joins: uses.joins, on: connection)
    let words = try searchedWords()
    try describeSearches(&domains, words)
    for table in schema.tables where table.kind == .ordinary { tables.append(try profiled(table, domains, words)) }
    for table in schema.tables { if let found = try fullText(table, words) { tables.append(found) } }
    progress("Writing statements with other values")
    let statements = StatementTranslator(
      schema: schema,
      values: ValueTranslator(
        dictionaries: dictionaries, domains: domains, words: words, names: schema.names, on: connection))
    var content = ProfileContent(database: settings)
    let schemaNotes: [String]
    (content.schema, schemaNotes) = try objects(SchemaTranslator(statements: statements))
    notes += schemaNotes
    content.tables = tables
    content.domains = domains.domains.map(\.profiled)
    content.statistics = statistics()
    for statement in workload.statements {
      if let translated = try statements.statement(statement) {
        content.statements.append(translated)
      } else {
        notes.append(
          "Statement S\(statement.id) was left out: it can't be parsed, so that its values can't be replaced.")
      }
    }
    for table in schema.tables {
      if case .virtual(let module) = table.kind, !table.isFullText {
        notes.append("The virtual table \(table.name) (\(module)) was left out.")
      }
    }
    content.notes = notes
    return content
  }

  // MARK: Counting values

  private mutating func count(_ table: TableSchema) throws {
    progress("Counting the values of \(table.name)")
    let source = table.name.quotedIdentifier
    let used = uses.columns.filter { $0.table == table.name }.map(\.column)
    var columns = table.columns.filter { !$0.isGenerated && !$0.isHidden }.map { ColumnID(name: $0.name) }
    columns += used.filter { $0.path != nil }.sorted { ($0.name, $0.path ?? "") < ($1.name, $1.path ?? "") }
    for id in columns {
      guard let column = table.column(id.name) else { continue }
      let isUsed = used.contains(id)
      guard try isUsed || isShort(id, source) else { continue }
      let key = ColumnKey(table: table.name, column: id)
      do {
        // Some time must remain for the joint distribution.
        try connection.limited(to: StatementBudget(deadline: deadline.share(0.6))) {
          dictionaries[key] = try ColumnDictionary(
            key, of: column, number: dictionaries.count, from: source, on: connection)
        }
      } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
        notes.append(
          "The time ended before the values of \(table.name).\(id.name) were counted; their figures come from a sample."
        )
      }
    }
  }

  private func isShort(_ id: ColumnID, _ source: String) throws -> Bool {
    let sql = "SELECT avg(length(v)), sum(typeof(v) = 'blob') FROM (SELECT \(id.sql()) AS v FROM \(source) LIMIT 1000)"
    let row = try connection.rows(sql)[0]
    return row[0].double <= Self.longestCounted && (row[1].integer ?? 0) == 0
  }

  // MARK: Searches

  /// Returns the words that statements search for inside texts, by column.
  private func searchedWords() throws -> [ColumnKey: [String]] {
    var words: [ColumnKey: [String]] = [:]
    let names = schema.names
    func add(_ word: String, _ key: ColumnKey) {
      if !word.isEmpty, words[key]?.contains(word) != true, words[key, default: []].count < 40 {
        words[key, default: []].append(word)
      }
    }
    for given in uses.given {
      guard let text = given.value.text else { continue }
      switch given.use.operation {
      case .pattern(let isGlob, let before, let after):
        if case .word(let word) = SearchPattern(text, isGlob: isGlob, before: before, after: after).kind {
          add(word, given.use.column)
        }
      case .search: for word in SearchWords(text, isColumn: names.contains).words { add(word, given.use.column) }
      default: break
      }
    }
    return words
  }

  /// Adds the beginnings and words that statements search for to the sets of values.
  private func describeSearches(_ domains: inout ColumnDomains, _ words: [ColumnKey: [String]]) throws {
    for given in uses.given {
      guard case .pattern(let isGlob, let before, let after) = given.use.operation, let text = given.value.text,
        case .beginning(let beginning) = SearchPattern(text, isGlob: isGlob, before: before, after: after).kind,
        let number = domains.numbers[given.use.column],
        let places = try domains.places(beginning, in: given.use.column, isGlob: isGlob)
      else { continue }
      domains.change(number) { domain in
        var start: Int64 = 0
        for index in domain.parts.indices {
          let part = domain.parts[index]
          if part.form == .text {
            let new = [places.lowerBound - start, places.upperBound - start].filter { $0 > 0 && $0 < part.count }
            domain.parts[index].beginnings = Set(part.beginnings + new).sorted()
          }
          start += part.count
        }
      }
    }
    for (key, list) in words {
      guard let number = domains.numbers[key], let dictionary = dictionaries[key] else { continue }
      let shares = try list.map { try share(of: $0, in: "value", dictionary.name) }
      domains.change(number) { domain in
        for index in domain.parts.indices where domain.parts[index].form == .text { domain.parts[index].words = shares }
      }
    }
  }

  /// Returns the share of the texts that contain a word.
  private func share(of word: String, in column: String, _ table: String) throws -> Double {
    let sql = "SELECT avg(instr(lower(\(column)), ?) > 0) FROM (SELECT \(column) FROM \(table) LIMIT 200000)"
    return try connection.value(sql, [.text(word)])?.double.rounded(digits: 5) ?? 0
  }

  // MARK: Tables

  private mutating func profiled(
    _ table: TableSchema, _ domains: ColumnDomains, _ words: [ColumnKey: [String]]
  ) throws -> ProfiledTable {
    progress("Profiling \(table.name)")
    let source = table.name.quotedIdentifier
    let rows = try connection.value("SELECT count(*) FROM \(source)")?.integer ?? 0
    var profiled = ProfiledTable(name: table.name, rows: rows, columns: [])
    var read: [JointReader.Column] = []
    var ids = table.columns.filter { !$0.isGenerated && !$0.isHidden }.map { ColumnID(name: $0.name) }
    ids += dictionaries.keys.filter { $0.table == table.name && $0.column.path != nil }.map(\.column)
      .sorted { ($0.name, $0.path ?? "") < ($1.name, $1.path ?? "") }
    for id in ids {
      let key = ColumnKey(table: table.name, column: id)
      var column = ProfiledColumn(name: id.name, path: id.path)
      if let dictionary = dictionaries[key] {
        let cuts = try cuts(of: key, dictionary)
        let (ranges, starts) = try RangeCutter(dictionary: dictionary, cuts: cuts).ranges()
        column.nulls = rows - dictionary.rows
        column.distinct = dictionary.distinct
        column.domain = domains.numbers[key]
        column.ranges = ranges
        column.places = try domains.places(of: key, at: starts)
        read.append(
          JointReader.Column(
            index: profiled.columns.count, dictionary: dictionary, starts: starts, ranges: ranges, cuts: cuts.starts,
            isJoint: uses.columns.contains(key)))
      } else {
        try describe(&column, of: table, rows: rows, words[key] ?? [])
      }
      profiled.columns.append(column)
    }
    try join(&profiled, table, read)
    return profiled
  }

  private mutating func join(_ profiled: inout ProfiledTable, _ table: TableSchema, _ columns: [JointReader.Column])
    throws
  {
    var columns = columns
    let named = Set(uses.given.map(\.use.column))
    let ranked = columns.indices.filter { columns[$0].isJoint }.sorted {
      (named.contains(columns[$0].dictionary.key) ? 0 : 1, $0) < (
        named.contains(columns[$1].dictionary.key) ? 0 : 1, $1
      )
    }
    for index in ranked.dropFirst(Self.mostJointColumns) { columns[index].isJoint = false }
    do {
      let reader = try connection.limited(to: StatementBudget(deadline: deadline)) {
        try JointReader(table, rows: profiled.rows, columns: columns, on: connection)
      }
      profiled.joint = reader.joint
      profiled.sampledRows = reader.sampledRows
      for (column, order) in zip(columns, reader.orders) {
        (profiled.columns[column.index].order, profiled.columns[column.index].window) = (order.order, order.window)
      }
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      notes.append("The time ended before the relations between the columns of \(table.name) were read.")
    }
  }

  /// Returns the places of values that statements name.
  private func cuts(of key: ColumnKey, _ dictionary: ColumnDictionary) throws -> RangeCutter.Cuts {
    var cuts = RangeCutter.Cuts()
    for given in uses.given where given.use.column == key && given.use.around == nil {
      guard cuts.single.count + cuts.bounds.count < Self.mostNamedPlaces else { break }
      switch given.use.operation {
      case .equal:
        if let place = try dictionary.place(of: given.value) { cuts.single.insert(place) }
      case .bound: cuts.bounds.insert(try dictionary.places(below: given.value))
      case .pattern(let isGlob, let before, let after):
        guard let text = given.value.text,
          case .beginning(let beginning) = SearchPattern(text, isGlob: isGlob, before: before, after: after).kind
        else { continue }
        let row = try connection.rows(
          "SELECT min(place) - 1, max(place) FROM \(dictionary.name) WHERE value \(isGlob ? "GLOB" : "LIKE") ?",
          [.text(beginning + (isGlob ? "*" : "%"))])[0]
        cuts.bounds.formUnion(row.compactMap(\.integer))
      case .search, .list: break
      }
    }
    return cuts
  }

  /// Describes an uncounted column by some of its values.
  private func describe(_ column: inout ProfiledColumn, of table: TableSchema, rows: Int64, _ words: [String]) throws {
    let source = table.name.quotedIdentifier
    let id = ColumnID(name: column.name, path: column.path)
    let name = "sanderling sample".quotedIdentifier
    try sample(id, of: table, rows: rows, as: name)
    let counts = try connection.rows("SELECT count(*), count(value) FROM \(name)")[0]
    let (all, count) = (counts[0].integer ?? 0, counts[1].integer ?? 0)
    let nulls = try inTime {
      try connection.value("SELECT count(*) FROM \(source) WHERE \(id.sql()) IS NULL")?.integer
    }
    column.nulls = min(rows, nulls ?? (all - count) * max(1, rows / max(1, all)))
    var parts = try ValueShapes(connection: connection).parts(of: name, count: count)
    let shares = try words.map { try share(of: $0, in: "value", name) }
    for index in parts.indices {
      parts[index].count = max(1, parts[index].count * max(1, rows - column.nulls) / max(1, count))
      if parts[index].form == .text { parts[index].words = shares }
      if [.day, .time, .internetTime, .integer].contains(parts[index].form), parts[index].span == nil {
        parts[index].span = 20
      }
    }
    column.parts = parts
    try connection.run("DROP TABLE \(name)")
  }

  private static let sampledRows: Int64 = 20_000

  /// Creates a table with some of a column's values: from rows spread over the table, or else from the first rows.
  private func sample(_ id: ColumnID, of table: TableSchema, rows: Int64, as name: String) throws {
    let step = table.isWithoutRowID ? 1 : max(1, rows / Self.sampledRows)
    let source = "SELECT \(id.sql()) AS value FROM \(table.name.quotedIdentifier)"
    let spread = step > 1 ? " WHERE rowid % \(step) = 0" : ""
    for condition in [spread, ""] {
      try connection.run("DROP TABLE IF EXISTS \(name)")
      let isMade = try inTime(unlessLast: condition.isEmpty) {
        try connection.run("CREATE TABLE \(name) AS \(source)\(condition) LIMIT \(Self.sampledRows)")
        return true
      }
      if isMade == true { return }
    }
  }

  /// Returns the result of `body` within the budget; nil if the budget ends before. With `isLast`, no work follows and
  /// the budget is ignored: a sample is small.
  private func inTime<Result>(unlessLast isLast: Bool = false, _ body: () throws -> Result?) throws -> Result? {
    if isLast { return try body() }
    do {
      return try connection.limited(to: StatementBudget(deadline: deadline), body)
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      return nil
    }
  }
}

extension Double {
  /// Returns the number, rounded to the given number of decimal places.
  func rounded(digits: Int) -> Double {
    var factor = 1.0
    for _ in 0..<digits { factor *= 10 }
    return (self * factor).rounded() / factor
  }
}
