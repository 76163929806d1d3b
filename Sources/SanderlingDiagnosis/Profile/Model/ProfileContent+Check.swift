extension ProfileContent {
  private static let most: Int64 = 1 << 40

  /// Checks the invariants that the generator relies on, because the file may come from any source.
  ///
  /// - Throws: ``ProfileError/damaged(part:)``.
  func check() throws(ProfileError) {
    for domain in domains {
      guard (0...Self.most).contains(domain.distinct), domain.parts.allSatisfy(\.isValid),
        domain.parts.reduce(0, { $0 + $1.count }) == domain.distinct
      else { throw .damaged(part: "a set of values") }
    }
    for table in tables {
      guard (0...Self.most).contains(table.rows), table.columns.allSatisfy({ isValid($0, rows: table.rows) }),
        table.joint.isValid(for: table)
      else { throw .damaged(part: "the table \(table.name)") }
    }
    guard (512...65_536).contains(database.pageSize), database.pageSize.nonzeroBitCount == 1 else {
      throw .damaged(part: "the page size")
    }
  }

  private func isValid(_ column: ProfiledColumn, rows: Int64) -> Bool {
    guard (0...rows).contains(column.nulls), (0...Self.most).contains(column.distinct ?? 0),
      (1...Self.most).contains(column.window)
    else { return false }
    if let parts = column.parts { return parts.allSatisfy(\.isValid) }
    guard let domain = column.domain, domains.indices.contains(domain),
      domains[domain].distinct > 0 || column.ranges.isEmpty
    else { return column.ranges.isEmpty }
    return column.ranges.allSatisfy { range in
      (1...Self.most).contains(range.rows) && (1...range.rows).contains(range.distinct) && !range.frequencies.isEmpty
        && range.frequencies.allSatisfy { $0.count == 2 && $0[0] > 0 && $0[1] >= $0[0] && $0[1] <= range.rows }
        && range.frequencies.reduce(0) { $0 &+ $1[0] } == range.distinct
        && range.frequencies.reduce(0) { $0 &+ $1[1] } == range.rows
    }
      && column.ranges.reduce(0) { $0 &+ $1.distinct } == column.distinct ?? 0
      && column.ranges.count < 1000
      && column.places.allSatisfy {
        $0.count == 2 && (0...Self.most).contains($0[0]) && (0...Self.most).contains($0[1])
      }
  }
}

extension ProfiledValues {
  fileprivate var isValid: Bool {
    (1...(1 << 40)).contains(count) && (-62...62).contains(magnitude) && (-62...62).contains(span ?? 0)
      && lengths.count <= 8 && lengths.allSatisfy { (0...(1 << 28)).contains($0) } && (0...1).contains(least ?? 0)
      && words.count <= 40 && beginnings.count <= 200
  }
}

extension ProfiledJoint {
  fileprivate func isValid(for table: ProfiledTable) -> Bool {
    guard (1...64).contains(blocks), columns.count == groups.count, columns.allSatisfy(table.columns.indices.contains)
    else { return false }
    let areGroupsValid = zip(columns, groups).allSatisfy { column, firsts in
      !firsts.isEmpty && firsts[0] == 0 && zip(firsts, firsts.dropFirst()).allSatisfy(<)
        && firsts.allSatisfy { $0 < max(1, table.columns[column].ranges.count) }
    }
    return areGroupsValid && (try? JointTable(self)) != nil
  }
}
