import GRDB

/// What changes of associated rows do to a row that leads to them, as far as one dependency goes.
enum Contribution: Hashable {
  /// The row has to be read again.
  case unknown
  /// Adds to the count or the sum.
  case added(Int64)

  static func + (lhs: Contribution, rhs: Contribution) -> Contribution {
    guard case .added(let lhs) = lhs, case .added(let rhs) = rhs else { return .unknown }
    let (sum, overflow) = lhs.addingReportingOverflow(rhs)
    return overflow ? .unknown : .added(sum)
  }
}

/// Finds the rows of queries that lead to associated rows which changed.
struct DependencyLifts {
  fileprivate struct Links {
    let shared: LiveRoutes.SharedDependency
    /// The values of the columns by which rows lead to the changed ones, those before and those after the batch.
    var values: [[StorageValue]: Contribution] = [:]
  }

  private var links: [Int: Links] = [:]

  /// How many rows are looked at for one dependency in a batch. Beyond it, reading the queries again costs less.
  static let greatestRootCount = 2_000

  /// Notes a changed row, if it is one that the dependency reads.
  mutating func add(
    _ delta: BatchRows.Delta, _ type: RecordType, _ shared: LiveRoutes.SharedDependency, _ rows: BatchRows
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

  /// The keys of the rows, by table, each with what the dependencies that lead from it to changed rows contribute.
  ///
  /// - Parameter tooMany: Called with a dependency that too many rows have.
  func roots(
    _ db: Database, tooMany: (LiveRoutes.SharedDependency) -> Void
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

extension DependencyLifts.Links {
  /// Nil when there are too many.
  fileprivate func roots(_ db: Database) throws -> [RowKey: Contribution]? {
    let limit = DependencyLifts.greatestRootCount
    if values.count > limit { return nil }
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

extension LiveRoutes.SharedDependency {
  /// What a row contributes before or after a change; nil for rows that the dependency doesn't read.
  fileprivate func contribution(of row: LiveRowContext, isOld: Bool) -> Contribution? {
    do {
      if let filter, try !filter.isTrue(in: row) { return nil }
      guard dependency.counted != nil, hasFilter else { return .unknown }
      guard let argument else { return .added(isOld ? -1 : 1) }
      switch try argument.value(in: row) {
      case .null: return .added(0)
      case .integer(let number) where number != .min: return .added(isOld ? -number : number)
      default: return .unknown
      }
    } catch {
      // What Swift can't evaluate the database will.
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
