/// Tests on many small tables whether two statements return the same rows for any content of the tables.
///
/// The rows of an app's database prove nothing about NULLs, ties and groups that are missing today, and logged values
/// prove nothing about other values. So tables are repeatedly filled with adversarial rows, and both results are
/// compared.
///
/// Half of the worlds contain rows that the statement is known to reach: rows of the app that it returned, and values
/// that satisfy its conditions. Otherwise most results would be empty, and two empty results prove nothing.
struct RewriteProof {
  let context: DetectorContext
  let statement: MovableStatement
  let samples: [BindingSample]
  var assumption = RewriteAssumption.none
  /// Commands for objects that the rewrite needs beside the rows, such as a full-text table. They run in each world and
  /// are undone with it.
  var preparation: [String] = []
  /// The copy in which the worlds are made; nil for the context's.
  var adversary: AdversarialCopy?
  /// Further tables with relevant rows that the statements don't read.
  var otherTables: [TableSchema] = []

  enum Verdict: Hashable, Sendable {
    /// All comparisons were equal, and their number suffices.
    case same(FormProof)
    case different
    /// The reason why too little could be compared, as a sentence; and the comparisons that ran.
    case untried(String, FormProof)

    var isSame: Bool { if case .same = self { true } else { false } }

    /// The comparisons that showed no difference.
    var proof: FormProof? {
      switch self {
      case .same(let proof), .untried(_, let proof): proof
      case .different: nil
      }
    }
  }

  /// A statement and its replacement.
  struct Pair {
    var one: String
    var other: String
    /// Whether both are whole statements, so that order and limit count.
    var isWhole = true
  }

  static let worlds = 96
  /// The time after which a sufficient number of comparisons ends the proof.
  private static let time = Duration.milliseconds(600)
  /// The time after which the proof ends with any number of comparisons. It is longer because a slow machine needs more
  /// time.
  private static let mostTime = Duration.milliseconds(1_800)

  /// Compares in one world with one set of values; nil if the statement itself fails with them.
  typealias Look = (_ values: [Int: BoundValue], _ deadline: Deadline) throws -> StatementComparison.Result?

  /// Whether the statements of each pair return the same rows.
  ///
  /// Throws `DiagnosisError` if the diagnosis was cancelled or the schema can't be copied. O(1) small tables.
  func verdict(_ pairs: [Pair]) throws -> Verdict {
    let comparison = StatementComparison(statement: statement, connection: try context.adversary.connection())
    return try verdict { try comparison.result(of: pairs, $0, within: $1) }
  }

  /// Returns the verdict after a comparison in each of the worlds.
  func verdict(_ look: Look) throws -> Verdict {
    let none = FormProof(comparisons: 0, comparisonsWithRows: 0)
    if let reason = try brokenAssumption() { return reason }
    let tables = tables
    if let other = tables.first(where: { $0.kind == .shadow }) {
      return .untried("\(other.name) belongs to a virtual table, so that no rows can be put there.", none)
    }
    let adversary = adversary ?? context.adversary
    let connection = try adversary.connection()
    let named = AdversarialValues(
      statement.text, bindings: samples.flatMap { Array($0.values.values) }, connection: connection)
    var random = SeededRandom(1)
    var rows = try AdversarialRows(
      tables + otherTables, of: statement, samples.last, values: named, copy: adversary, limit: greatestLimit)
    let (enough, deadline) = (Deadline(afterWorking: Self.time), Deadline(afterWorking: Self.mostTime))
    var proof = none
    for world in 0..<Self.worlds {
      try Task.checkCancellation()
      if deadline.hasPassed || enough.hasPassed && proof.shortage == nil { break }
      let isDifferent = try connection.undoing { () throws -> Bool in
        try rows.fill(world: world, using: &random)
        try keepAssumedRows(on: connection)
        guard try prepare(on: connection) else { return false }
        for values in bindings(named, rows, using: &random) where try fulfils(values, on: connection) {
          guard let result = try look(values, deadline) else { continue }
          proof.comparisons += 1
          if result.isDifferent { return true }
          if result.hasRows { proof.comparisonsWithRows += 1 }
        }
        return false
      }
      if isDifferent { return .different }
    }
    if let table = tables.first(where: { !rows.filled.contains($0.name) }) {
      return .untried("No row that was tried could be put into \(table.name).", proof)
    }
    return proof.shortage.map { .untried($0, proof) } ?? .same(proof)
  }

  /// Creates the objects that the rewrite needs. Returns false if these rows prevent it.
  private func prepare(on connection: SQLiteConnection) throws -> Bool {
    do {
      for sql in preparation { try connection.run(sql) }
      return true
    } catch DiagnosisError.statement {
      return false
    }
  }

  /// The tables that the statement reads, including those of subqueries and views, each once, in the order of the text.
  private var tables: [TableSchema] {
    var seen: Set<String> = []
    return Self.sources(of: statement.shape).compactMap { context.schema.table($0) }
      .filter { seen.insert($0.name).inserted }
  }

  private static func sources(of shape: QueryShape) -> [String] {
    shape.resolved.sources.sorted { $0.key < $1.key }.compactMap { $0.value.table?.name }
      + shape.views.sorted { $0.key < $1.key }.flatMap { sources(of: $0.value) }
  }

  /// The total number of rows that all LIMITs and OFFSETs pass, or the last kept row number.
  private var greatestLimit: Int {
    let selects = statement.shape.selectsWithViews
    let limits = selects.flatMap { [$0.limit, $0.offset] }.reduce(0) { sum, bound in
      if case .literal(let count)? = bound { sum + Int(clamping: max(0, count)) } else { sum }
    }
    guard selects.contains(where: \.hasWindowFunctions) else { return limits }
    let numbers = statement.expressions.flatMap(\.withDescendants).compactMap { node -> Int? in
      if case .literal(.integer) = node.kind { Int(statement.text[node.range]) } else { nil }
    }
    return max(limits, numbers.filter { $0 <= AdversarialRows.greatestLimit }.max() ?? 0)
  }

  // MARK: Assumptions

  /// Checks the assumption on the existing rows and values. Returns the reason why it fails or can't be checked; nil if
  /// it holds.
  private func brokenAssumption() throws -> Verdict? {
    let none = FormProof(comparisons: 0, comparisonsWithRows: 0)
    for rows in assumption.rows {
      let sql = "SELECT 1 FROM \(rows.table.quotedIdentifier) WHERE (\(rows.condition)) IS NOT TRUE LIMIT 1"
      do {
        if try context.rows(sql).first != nil { return .different }
      } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
        return .untried("The time ended before all rows of \(rows.table) were checked.", none)
      } catch DiagnosisError.statement {
        // A condition that fails, for example on a text that is no JSON, does not hold.
        return .different
      }
    }
    for sample in samples where try !fulfils(sample.values, on: context.connection) { return .different }
    return nil
  }

  private func fulfils(_ values: [Int: BoundValue], on connection: SQLiteConnection) throws -> Bool {
    try assumption.values.allSatisfy { condition in
      let sql = "SELECT (\(condition)) IS NOT FALSE"
      do {
        let prepared = try connection.prepare(sql, authority: .reading)
        try prepared.bind(statement.values(values, for: sql))
        return try prepared.step() && prepared.integer(at: 0) == 1
      } catch DiagnosisError.statement {
        // A condition that fails, for example on a text that is no full-text query, does not hold.
        return false
      }
    }
  }

  private func keepAssumedRows(on connection: SQLiteConnection) throws {
    for rows in assumption.rows + assumption.madeRows {
      let table = rows.table.quotedIdentifier
      // A row that can't be corrected because of a constraint is deleted like the others.
      if let mending = rows.mending { try? connection.run(mending) }
      do {
        try connection.run("DELETE FROM \(table) WHERE (\(rows.condition)) IS NOT TRUE")
      } catch DiagnosisError.statement {
        // A condition fails for some generated texts, such as a text that is no JSON. Such a row doesn't satisfy the
        // condition.
        try keepRows(of: rows, on: connection)
      }
    }
  }

  /// Keeps the rows that satisfy a condition, row by row.
  private func keepRows(of rows: RewriteAssumption.Rows, on connection: SQLiteConnection) throws {
    guard let schema = context.schema.table(rows.table), let key = schema.rowIDName.map(\.quotedIdentifier) else {
      return try connection.run("DELETE FROM \(rows.table.quotedIdentifier)")
    }
    let table = rows.table.quotedIdentifier
    for row in try connection.rows("SELECT \(key) FROM \(table)") {
      let isAssumed: Bool
      do {
        isAssumed = try !connection.rows("SELECT 1 FROM \(table) WHERE \(key) = ? AND (\(rows.condition)) IS TRUE", row)
          .isEmpty
      } catch DiagnosisError.statement {
        isAssumed = false
      }
      if !isAssumed { try connection.run("DELETE FROM \(table) WHERE \(key) = ?", row) }
    }
  }

  // MARK: Bindings

  /// Returns the measured values, and others of their kinds. Many of these are values of the generated rows.
  private func bindings(
    _ named: AdversarialValues, _ rows: AdversarialRows, using random: inout SeededRandom
  ) -> [[Int: BoundValue]] {
    let known = samples.map(\.values)
    guard let first = known.first, statement.shape.parameterCount > 0 else { return [[:]] }
    var counts: Set<Int> = []
    for bound in statement.shape.selectsWithViews.flatMap({ [$0.limit, $0.offset] }) {
      if case .parameter(let number)? = bound { counts.insert(number) }
    }
    let others = (0..<3).map { _ in
      Dictionary(
        uniqueKeysWithValues: (1...statement.shape.parameterCount).map { number -> (Int, BoundValue) in
          if counts.contains(number) { return (number, .integer(Int64.random(in: 0...4, using: &random))) }
          if random.chance(8) { return (number, .null) }
          let value = known.randomElement(using: &random)?[number] ?? first[number] ?? .null
          let made = rows.values(comparedWith: number).filter(value.isOfKind)
          if random.chance(50), let made = made.randomElement(using: &random) { return (number, made) }
          return (number, named.bindings(like: value).randomElement(using: &random) ?? value)
        })
    }
    return (known.randomElement(using: &random).map { [$0] } ?? []) + others
  }
}

extension BoundValue {
  /// Whether the same piece of code could bind the other value: it must have the same type.
  fileprivate func isOfKind(_ other: BoundValue) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.real, .real), (.real, .integer), (.text, .text), (.blob, .blob): true
    default: false
    }
  }
}
