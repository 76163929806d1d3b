/// Values of one kind for a statement. A fix must do no harm with them.
struct ValueProbe: Hashable, Sendable {
  /// `frequent`, `rare`, `absent`, `least`, `greatest`, or `as logged`.
  var name: String
  /// By parameter number.
  var values: [Int: BoundValue]
  /// Replacements of literals, by the number that ``VaryingLiterals`` gives them.
  var literals: [Int: BoundValue] = [:]
  /// Whether bounds of ranges, or patterns, have other values. A fix that does harm only with these is reported, not
  /// refused. For every range, the number of rows in it decides between an index and a scan.
  var isOfBounds = false
}

/// Chooses values of each kind for a statement's parameters and for its literals that may vary.
///
/// Either all values have the kind, or a single one beside the usual values, because a frequent value of one column
/// would hide the effect of a rare value in another. Bounds of ranges first keep their usual values, and change in
/// later probes.
struct ProbeSampler {
  let sampler: BindingSampler

  private static let mostLogged = 4
  /// The greatest number of parameters and literals that are varied alone.
  private static let mostAlone = 4
  static let mostProbes = 20
  private static let kinds: [SampleGoal] = [.absent, .rare, .worst, .least, .greatest]
  private static let kindsAlone: [SampleGoal] = [.absent, .rare, .worst]

  /// Returns the sets of values, except the measured ones. O(rows) of the tables whose columns are compared.
  func probes(of statement: AnalyzedStatement, _ literals: VaryingLiterals) -> [ValueProbe] {
    guard let usual = statement.samples.first?.values, let shape = statement.shape else { return [] }
    let count = shape.parameterCount
    let logged = statement.statement.bindings.filter { Set(1...max(1, count)).isSubset(of: $0.keys) }
    var probes = logged.prefix(Self.mostLogged + 2).map { ValueProbe(name: BindingSample.logged, values: $0) }
    let (compared, bounds) = Self.comparedParameters(of: literals.shape)
    let chosen = compared.subtracting(bounds)
    for isOfBounds in bounds.isEmpty ? [false] : [false, true] {
      let shapes = isOfBounds || literals.literals.isEmpty ? [literals.shape] : [shape, literals.shape]
      let together = isOfBounds ? compared : chosen
      for goal in Self.kinds {
        for shape in shapes {
          let values = sampler.values(for: shape, goal).filter { together.contains($0.key) }
          probes.append(probe(goal, values, usual, count, isOfBounds))
        }
      }
      if compared.count == 1 { continue }
      for number in (isOfBounds ? bounds : chosen).sorted().prefix(Self.mostAlone) {
        for goal in Self.kindsAlone {
          let values = sampler.values(for: literals.shape, goal, only: number).filter { $0.key == number }
          probes.append(probe(goal, values, usual, count, isOfBounds))
        }
      }
    }
    let known = statement.samples.map(\.values)
    var seen: Set<[[Int: BoundValue]]> = []
    return Array(
      probes.filter { probe in
        !(probe.literals.isEmpty && known.contains(probe.values))
          && seen.insert([probe.values, probe.literals]).inserted
      }.prefix(Self.mostProbes))
  }

  private func probe(
    _ goal: SampleGoal, _ values: [Int: BoundValue], _ usual: [Int: BoundValue], _ count: Int, _ isOfBounds: Bool
  ) -> ValueProbe {
    ValueProbe(
      name: goal == .worst ? "frequent" : goal.rawValue,
      values: usual.merging(values.filter { $0.key <= count }) { $1 },
      literals: values.filter { $0.key > count }, isOfBounds: isOfBounds)
  }

  /// Returns the parameters that conditions compare with columns, without those of LIMIT and stored ones. Among them,
  /// returns those that are only bounds of ranges or patterns.
  private static func comparedParameters(of shape: QueryShape) -> (all: Set<Int>, bounds: Set<Int>) {
    var (numbers, bounds, equal): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
    for source in shape.selects.flatMap(\.sources) {
      for term in source.terms + source.alternatives.flatMap({ $0.branches.flatMap(\.self) }) {
        numbers.formUnion(term.parameters)
        switch term.kind {
        case .range, .pattern: bounds.formUnion(term.parameters)
        case .equality, .membership: equal.formUnion(term.parameters)
        case .isNull, .isNotNull, .truth, .other: break
        }
      }
    }
    return (numbers, bounds.subtracting(equal))
  }
}
