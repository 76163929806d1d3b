/// Values for the parameters of a statement.
struct BindingSample: Hashable, Sendable {
  /// `"as logged"`, `"typical"`, `"worst"`, or `"none"` for a statement without parameters.
  var name: String
  var values: [Int: BoundValue]

  static let logged = "as logged"
}

/// Chooses values from a copy's rows for parameters without logged values.
struct BindingSampler {
  let connection: SQLiteConnection
  let schema: DatabaseSchema
  /// The time limit of each query. A query that takes longer runs on the first `sampledRows` rows only.
  var timeBudget: Duration
  /// The answers so far, since several statements ask for the same columns.
  private let answers = Answers()

  static let sampledRows = 20_000

  init(connection: SQLiteConnection, schema: DatabaseSchema, timeBudget: Duration = .milliseconds(150)) {
    self.connection = connection
    self.schema = schema
    self.timeBudget = timeBudget
  }

  private final class Answers {
    struct Question: Hashable {
      var sql: String
      var values: [BoundValue]
    }

    var rows: [Question: [BoundValue]?] = [:]
  }

  /// Returns the sets of values to measure a statement with: up to two complete logged sets, or else a typical and a
  /// worst set, in which logged values stay. Typical values belong to a group of rows of middle size, or leave half of
  /// the rows. Worst values belong to the largest group, or leave nearly all rows.
  ///
  /// Throws `DiagnosisError` if SQLite refuses the statement. O(rows) of the tables whose columns are compared.
  func samples(for sql: String, logged: [[Int: BoundValue]] = []) throws -> [BindingSample] {
    let count = try connection.prepareReadingOrWriting(sql).parameterCount
    if count == 0 { return [BindingSample(name: "none", values: [:])] }
    let numbers = Set(1...count)
    let complete = logged.filter { numbers.isSubset(of: $0.keys) }
    if !complete.isEmpty {
      return complete.prefix(2).map { BindingSample(name: BindingSample.logged, values: $0) }
    }
    let known = logged.max { $0.count < $1.count } ?? [:]
    guard let shape = try? ShapeReader.shape(of: sql, in: schema.description) else {
      return [BindingSample(name: "typical", values: filled(known, numbers))]
    }
    let samples = [SampleGoal.typical, .worst].map { goal in
      var values = values(for: shape, goal)
      values.merge(known) { _, logged in logged }
      let all = SwitchSampler(connection: connection, schema: schema, shape: shape)
        .values(filled(values, numbers), keeping: Set(values.keys))
      return BindingSample(name: goal.rawValue, values: all)
    }
    return samples[0].values == samples[1].values ? [samples[0]] : samples
  }

  /// Gives parameters without known values the value 1, which is valid as a number, a truth value and a text.
  private func filled(_ values: [Int: BoundValue], _ numbers: Set<Int>) -> [Int: BoundValue] {
    var values = values.filter { numbers.contains($0.key) }
    for number in numbers where values[number] == nil { values[number] = .integer(1) }
    return values
  }

  /// Returns values of one kind by parameter number, if the rows offer such values. With `only`, returns the value of
  /// one parameter, independent of the others. O(rows) of the tables whose columns are compared.
  func values(for shape: QueryShape, _ goal: SampleGoal, only number: Int? = nil) -> [Int: BoundValue] {
    var values = WriteSampler(connection: connection, schema: schema).values(for: shape)
    values.merge(JoinedKeySampler(sampler: self, shape: shape, goal: goal).values) { first, _ in first }
    for select in shape.selects {
      for source in select.sources {
        guard let table = source.table.flatMap(schema.table), case .ordinary = table.kind else { continue }
        let terms = (source.terms + source.alternatives.flatMap { $0.branches.flatMap { $0 } })
          .filter { term in number.map { term.parameters.contains($0) } ?? true }
        let sampler = TermSampler(sampler: self, table: table, isOfAlternatives: !source.alternatives.isEmpty)
        values.merge(sampler.values(for: terms, goal)) { first, _ in first }
      }
      if case .parameter(let number)? = select.limit { values[number] = .integer(50) }
      if case .parameter(let number)? = select.offset {
        // A page at the beginning, and one far down.
        let rows = select.sources.first?.table.flatMap(schema.table)?.rowCount ?? 0
        values[number] = .integer(goal == .typical ? 0 : rows / 2)
      }
    }
    return values
  }

  /// Returns the first row of a query's result; nil if there is none. A query that takes too long for all rows reads
  /// only some of them.
  func firstRow(_ sql: (_ limitedTo: Int?) -> String, _ values: [BoundValue]) -> [BoundValue]? {
    let question = Answers.Question(sql: sql(nil), values: values)
    if let answer = answers.rows[question] { return answer }
    let answer = ask(sql, values)
    if !connection.budget.deadline.hasPassed { answers.rows[question] = .some(answer) }
    return answer
  }

  private func ask(_ sql: (_ limitedTo: Int?) -> String, _ values: [BoundValue]) -> [BoundValue]? {
    for limit in [nil, Self.sampledRows] {
      do {
        return try connection.limited(to: timeBudget) {
          let statement = try connection.prepare(sql(limit), authority: .reading)
          try statement.bind(values)
          return try statement.step() ? statement.row : nil
        }
      } catch DiagnosisError.stopped(.time) {
        continue
      } catch {
        return nil
      }
    }
    return nil
  }
}

/// The kind of a column's values to choose.
enum SampleGoal: String, Sendable {
  /// A value of a group of rows of middle size, or one that leaves half of the rows.
  case typical
  /// A value of the largest group, or one that leaves nearly all rows.
  case worst
  /// A value of the smallest group, or one that leaves few rows.
  case rare
  /// A value of no row, or one that leaves no rows.
  case absent
  /// The least existing value.
  case least
  /// The greatest existing value.
  case greatest
}
