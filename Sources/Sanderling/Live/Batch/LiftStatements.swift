import GRDB

/// Follows a dependency's associations backwards, from associated rows to the query's rows that depend on them.
///
/// The statements query the snapshot after the changes. That also finds all rows that led to a changed row before. This
/// holds because a changed row on the way has a dependency of its own, which starts there.
struct LiftStatements {
  private let dependency: Dependency

  init(_ dependency: Dependency) {
    self.dependency = dependency
  }

  /// The keys of the rows that lead to links.
  ///
  /// - Parameter links: Values of the columns that the last association compares.
  /// - Returns: Nil when there are more than `limit` rows on the way.
  func roots(of links: Set<[StorageValue]>, _ db: Database, limit: Int) throws -> [RowKey]? {
    var links = links
    for (position, association) in dependency.chain.enumerated().reversed() {
      if association.recursion != nil {
        guard let ancestors = try ancestors(of: links, association, db, limit: limit) else { return nil }
        links = ancestors
      }
      let targets = position == 0 ? [association.origin.table.key] : dependency.chain[position - 1].linkColumns
      guard let found = try values(of: targets, where: association, links, db, limit: limit) else { return nil }
      links = found
    }
    return links.map { RowKey($0) }
  }

  /// The values of columns in the rows from which an association leads to links.
  private func values(
    of targets: [[Int]], where association: Association, _ links: Set<[StorageValue]>, _ db: Database, limit: Int
  ) throws -> Set<[StorageValue]>? {
    var found: Set<[StorageValue]> = []
    for link in links {
      for target in targets {
        if let values = association.originValues(of: target, link) {
          found.insert(values)
        } else {
          guard association.hasOneTypeOnBothSides else { return nil }
          try read(target, where: association, leadsTo: link, db, limit: limit) { found.insert($0) }
        }
      }
      if found.count > limit { return nil }
    }
    return found
  }

  /// The links, with those of all ancestors of their rows.
  private func ancestors(
    of links: Set<[StorageValue]>, _ association: Association, _ db: Database, limit: Int
  ) throws -> Set<[StorageValue]>? {
    guard association.hasOneTypeOnBothSides else { return nil }
    let destinations = association.columns.map(\.destination)
    var found = links
    var open = Array(links)
    // Each link is processed once, so cycles end.
    while let link = open.popLast() {
      try read(destinations, where: association, leadsTo: link, db, limit: limit) { parent in
        if !parent.contains(where: \.isNull), found.insert(parent).inserted { open.append(parent) }
      }
      if found.count > limit { return nil }
    }
    return found
  }

  /// Reads columns of the rows from which an association leads to a link.
  private func read(
    _ target: [Int], where association: Association, leadsTo link: [StorageValue], _ db: Database, limit: Int,
    _ body: ([StorageValue]) -> Void
  ) throws {
    let origin = association.origin.table
    let columns = target.map { origin.columns[$0].name.quotedIdentifier }
    let conditions = association.columns.map { pair in
      // A join compares by the collation of the association's destination column.
      let collation = association.destination.table.columns[pair.destination].collation
      let column = origin.columns[pair.origin]
      let operand = collation == column.collation ? "" : " COLLATE \(collation.rawValue)"
      return "\(column.name.quotedIdentifier)\(operand) = ?"
    }
    let sql = """
      SELECT DISTINCT \(columns.joined(separator: ", ")) FROM \(origin.name.quotedIdentifier) \
      WHERE \(conditions.joined(separator: " AND "))
      """
    try db.forEachRow(of: sql, limit: limit + 1) {
      try $0.bind(link)
    } row: { row in
      body(target.indices.map { row.storageValue(at: Int32($0)) })
    }
  }
}

extension Association {
  /// Whether values are compared without conversion. Columns of two types would convert each other's values.
  fileprivate var hasOneTypeOnBothSides: Bool {
    columns.allSatisfy { origin.table.columns[$0.origin].type == destination.table.columns[$0.destination].type }
  }

  /// The destination's columns that link it to its origin. With a recursive association that includes the row itself,
  /// also the row's own columns.
  var linkColumns: [[Int]] {
    let destinations = columns.map(\.destination)
    return recursion?.includesSelf == true ? [destinations, columns.map(\.origin)] : [destinations]
  }

  /// The values of origin columns, if they are among the link's own columns.
  fileprivate func originValues(of target: [Int], _ link: [StorageValue]) -> [StorageValue]? {
    var values: [StorageValue] = []
    for column in target {
      guard let position = columns.firstIndex(where: { $0.origin == column }) else { return nil }
      let value = link[position]
      guard value.isSameAsEqual(origin, column, destination, columns[position].destination) else { return nil }
      values.append(value)
    }
    return values
  }
}
