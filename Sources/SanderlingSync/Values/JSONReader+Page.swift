import Sanderling

extension JSONReader {
  /// Reads an answer with rows, in one pass.
  ///
  /// - Parameters:
  ///   - member: The name of the member that has the rows; nil where the text is their array.
  ///   - limit: How many rows at most.
  /// - Returns: The rows, and the other members beside them. Nil in place of the rows without such a member.
  mutating func page(rowsIn member: String?, limit: Int) throws -> (
    rows: [[String: ForeignValue]]?, members: [String: ForeignValue]
  ) {
    var members: [String: ForeignValue] = [:]
    var rows: [[String: ForeignValue]]?
    skipSpace()
    if let member {
      guard skip("{") else { throw failure("an object has to begin here, with {") }
      try elements(until: "}") { reader in
        let name = try reader.name()
        if name == member, rows != nil { throw reader.failure("there are two members \(name)") }
        if name == member { rows = try reader.rows(limit: limit) } else { members[name] = try reader.value(depth: 1) }
      }
    } else {
      rows = try self.rows(limit: limit)
    }
    try end()
    return (rows, members)
  }

  private mutating func rows(limit: Int) throws -> [[String: ForeignValue]] {
    var rows: [[String: ForeignValue]] = []
    skipSpace()
    guard skip("[") else { throw failure("an array has to begin here, with [") }
    try elements(until: "]") { reader in
      if rows.count == limit { throw reader.failure("there are more than \(limit) rows") }
      guard reader.skip("{") else { throw reader.failure("an object has to begin here, with {") }
      var row: [String: ForeignValue] = [:]
      try reader.elements(until: "}") { reader in
        let name = try reader.name()
        row[name] = try reader.value(depth: 3)
      }
      rows.append(row)
    }
    return rows
  }
}
