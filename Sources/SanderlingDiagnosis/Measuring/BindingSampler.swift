/// Values for the parameters of a statement.
struct BindingSample: Hashable, Sendable {
  /// `"as logged"`, `"typical"`, `"worst"`, or `"none"` for a statement without parameters.
  var name: String
  var values: [Int: BoundValue]

  static let logged = "as logged"
}

/// Chooses values for parameters that no log names, from the rows of a copy.
struct BindingSampler {
  let connection: SQLiteConnection
  let schema: DatabaseSchema
  /// For each question to the database. One that takes longer is asked of the first `sampledRows` rows.
  var timeBudget: Duration
  /// Statements ask the same of the same columns.
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

  /// The sets of values to measure a statement with: up to two logged ones that are complete, or else typical and worst
  /// ones, in which logged values stay. Typical values belong to a group of rows of middle size, or leave half of the rows;
  /// worst ones belong to the largest group, or leave nearly all.
  ///
  /// Throws `DiagnosisError` when SQLite refuses the statement. O(rows) of the tables whose columns are compared.
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

  /// Parameters without known values get 1, which is a number, a truth and a text.
  private func filled(_ values: [Int: BoundValue], _ numbers: Set<Int>) -> [Int: BoundValue] {
    var values = values.filter { numbers.contains($0.key) }
    for number in numbers where values[number] == nil { values[number] = .integer(1) }
    return values
  }

  /// Values of one kind by parameter number, as far as the rows tell some; with `only`, of one parameter whatever the
  /// others are. O(rows) of the tables whose columns are compared.
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

  /// The first row of a question, which may be asked of some rows only when all take too long; nil when there is none.
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

/// Which of a column's values are wanted.
enum SampleGoal: String, Sendable {
  /// Of a group of rows of middle size, or leaving half of the rows.
  case typical
  /// Of the largest group, or leaving nearly all rows.
  case worst
  /// Of the smallest group, or leaving few rows.
  case rare
  /// Of no row, or leaving none.
  case absent
  /// The least one that there is.
  case least
  /// The greatest one that there is.
  case greatest
}
