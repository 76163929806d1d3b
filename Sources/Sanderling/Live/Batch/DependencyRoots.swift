import GRDB

/// The effect of changed associated rows on a row that depends on them, for one dependency.
enum Contribution: Hashable {
  /// The row must be read again.
  case unknown
  /// The number is added to the count or the sum.
  case added(Int64)

  static func + (lhs: Contribution, rhs: Contribution) -> Contribution {
    guard case .added(let lhs) = lhs, case .added(let rhs) = rhs else { return .unknown }
    let (sum, overflow) = lhs.addingReportingOverflow(rhs)
    return overflow ? .unknown : .added(sum)
  }

  /// The contribution with the opposite sign.
  var negated: Contribution {
    guard case .added(let number) = self, number != .min else { return .unknown }
    return .added(-number)
  }
}

/// Finds the rows of queries that depend on changed associated rows.
struct DependencyRoots {
  fileprivate struct Links {
    let shared: SharedDependency
    /// The contributions by link: the values with which rows lead to the changed ones, before and after the batch.
    var values: [[StorageValue]: Contribution] = [:]
    /// The changed rows on the way to counted ones, by the position of the association that leads to them.
    var passages: [Int: [Passage]] = [:]
  }

  /// A row on the way to counted ones, before or after the batch.
  fileprivate struct Passage {
    let isOld: Bool
    /// Whether the row satisfies its level's filter; nil when that is unknown.
    let isCounted: Bool?
    /// The values with which the row above leads to it; nil for no row.
    let above: [StorageValue]?
    /// The values with which it leads to the rows below: its primary key.
    let below: [StorageValue]
  }

  private var links: [Int: Links] = [:]

  /// The most rows that one dependency leads to in a batch. With more, reloading the queries costs less.
  static let greatestRootCount = 2_000

  /// Notes a changed row, if the dependency reads it.
  mutating func add(
    _ delta: BatchRows.Delta, _ type: RecordType, _ shared: SharedDependency, _ rows: BatchRows
  ) {
    for position in shared.dependency.columnsOnTheWay.indices
    where shared.dependency.chain[position].destination == type {
      addPassage(delta, type, shared, rows, position)
    }
    if shared.dependency.type == type { addCounted(delta, type, shared, rows) }
  }

  /// Notes a changed row on the way to counted ones.
  private mutating func addPassage(
    _ delta: BatchRows.Delta, _ type: RecordType, _ shared: SharedDependency, _ rows: BatchRows, _ position: Int
  ) {
    let dependency = shared.dependency
    let columns = dependency.columnsOnTheWay[position]
    if let old = delta.old, let new = delta.new, old.hasSameValues(as: new, columns) { return }
    for (image, isOld) in [(delta.old, true), (delta.new, false)] {
      guard let image else { continue }
      let row = LiveRowContext(type: type, image: image, rows: rows, isOld: isOld)
      let above = dependency.chain[position].columns.map { image.value(ofColumn: $0.destination) ?? .null }
      links[shared.number, default: Links(shared: shared)].passages[position, default: []].append(
        Passage(
          isOld: isOld, isCounted: shared.counts(row, onTheWay: position),
          above: above.contains(where: \.isNull) ? nil : above,
          below: dependency.chain[position + 1].columns.map { image.value(ofColumn: $0.origin) ?? .null }))
    }
  }

  /// Notes a changed row at the end of the way.
  private mutating func addCounted(
    _ delta: BatchRows.Delta, _ type: RecordType, _ shared: SharedDependency, _ rows: BatchRows
  ) {
    let dependency = shared.dependency
    if let old = delta.old, let new = delta.new, old.hasSameValues(as: new, dependency.columns) { return }
    let association = dependency.chain[dependency.chain.count - 1]
    for (image, isOld) in [(delta.old, true), (delta.new, false)] {
      guard let image else { continue }
      let row = LiveRowContext(type: type, image: image, rows: rows, isOld: isOld)
      guard let contribution = shared.contribution(of: row, isOld: isOld) else { continue }
      for columns in association.linkColumns {
        let link = columns.map { image.value(ofColumn: $0) ?? .null }
        if link.contains(where: \.isNull) { continue }
        let before = links[shared.number, default: Links(shared: shared)].values[link] ?? .added(0)
        links[shared.number, default: Links(shared: shared)].values[link] = before + contribution
      }
    }
  }

  /// The keys of the dependent rows, by table, each with the contributions of its dependencies.
  ///
  /// - Parameter tooMany: Called with a dependency that has too many dependent rows.
  func roots(
    _ db: Database, tooMany: (SharedDependency) -> Void
  ) throws -> [RecordType: [RowKey: [Int: Contribution]]] {
    var roots: [RecordType: [RowKey: [Int: Contribution]]] = [:]
    for (number, links) in links {
      guard let keys = try links.roots(db) else {
        tooMany(links.shared)
        continue
      }
      for (key, contribution) in keys {
        roots[links.shared.dependency.root, default: [:]][key, default: [:]][number] = contribution
      }
    }
    return roots
  }
}

extension DependencyRoots.Links {
  /// The dependent rows; nil when there are too many.
  fileprivate func roots(_ db: Database) throws -> [RowKey: Contribution]? {
    let limit = DependencyRoots.greatestRootCount
    if values.count > limit { return nil }
    if !shared.dependency.columnsOnTheWay.isEmpty {
      let count = passages.values.reduce(0) { $0 + $1.count }
      return count > limit ? nil : try rootsOverWay(db, limit: limit)
    }
    let statements = LiftStatements(shared.dependency)
    guard shared.dependency.counted != nil else {
      guard let keys = try statements.roots(of: Set(values.keys), db, limit: limit) else { return nil }
      return Dictionary(keys.map { ($0, .unknown) }) { first, _ in first }
    }
    var roots: [RowKey: Contribution] = [:]
    for (link, contribution) in values where contribution != .added(0) {
      guard let keys = try statements.roots(of: [link], db, limit: limit) else { return nil }
      for key in keys { roots[key] = (roots[key] ?? .added(0)) + contribution }
      if roots.count > limit { return nil }
    }
    return roots
  }
}

extension DependencyRoots.Links {
  /// The rows that changes of counted rows, and of rows on the way to them, contribute to. See ``CountedRows`` for the
  /// method.
  private func rootsOverWay(_ db: Database, limit: Int) throws -> [RowKey: Contribution]? {
    let statements = try CountStatements(shared.dependency)
    // The contributions to the rows above each level, by the values that link these to the level.
    var added = values
    for position in shared.dependency.columnsOnTheWay.indices.reversed() {
      var next: [[StorageValue]: Contribution] = [:]
      func add(_ contribution: Contribution, to link: [StorageValue]) {
        next[link] = (next[link] ?? .added(0)) + contribution
      }
      let passages = passages[position] ?? []
      let changed = Set(passages.map(\.below))
      for (below, contribution) in added where contribution != .added(0) && !changed.contains(below) {
        for above in try statements.above(below, position, db) { add(contribution, to: above) }
      }
      for passage in passages {
        guard let above = passage.above, passage.isCounted != false else { continue }
        if passage.isCounted == nil {
          add(.unknown, to: above)
          continue
        }
        let value = try statements.value(below: passage.below, position, db)
        let wasAdded = added[passage.below] ?? .added(0)
        add(passage.isOld ? wasAdded + value.negated : value, to: above)
      }
      added = next
      if added.count > limit { return nil }
    }
    var roots: [RowKey: Contribution] = [:]
    for (link, contribution) in added where contribution != .added(0) {
      guard let key = statements.rootKey(link) else { return nil }
      roots[key] = contribution
    }
    return roots
  }
}

extension SharedDependency {
  /// Whether a row on the way to counted ones satisfies its level's filter; nil when that is unknown.
  fileprivate func counts(_ row: LiveRowContext, onTheWay position: Int) -> Bool? {
    guard hasFilter else { return nil }
    guard let filter = filtersOnTheWay[position] else { return true }
    // Unknown for conditions that only the database evaluates.
    return try? filter.isTrue(in: row)
  }

  /// The contribution of a row before or after a change; nil for rows that the dependency doesn't read.
  fileprivate func contribution(of row: LiveRowContext, isOld: Bool) -> Contribution? {
    do {
      if let filter, try !filter.isTrue(in: row) { return nil }
      guard dependency.counted != nil, hasFilter else { return .unknown }
      guard let argument else { return .added(isOld ? -1 : 1) }
      switch try argument.value(in: row) {
      case .null: return .added(0)
      case .integer(let number) where number.magnitude <= SumBound.greatestSmall:
        return .added(isOld ? -number : number)
      default: return .unknown
      }
    } catch {
      // Only the database evaluates this term.
      return .unknown
    }
  }
}

extension RowImage {
  /// Whether some columns have the same values in both images.
  fileprivate func hasSameValues(as other: RowImage, _ columns: Set<Int>) -> Bool {
    columns.allSatisfy { column in
      guard let value = value(ofColumn: column) else { return false }
      return value == other.value(ofColumn: column)
    }
  }
}
