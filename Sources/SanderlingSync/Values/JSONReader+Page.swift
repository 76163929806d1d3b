import Sanderling

extension JSONReader {
  /// Reads an answer with rows, in one pass.
  ///
  /// - Parameters:
  ///   - path: The member with the rows, such as `items` or `result.items`; nil if the text is their array.
  ///   - limit: The greatest number of rows.
  /// - Returns: The rows, and the members beside them by path. Nil in place of the rows if there is no such member.
  mutating func page(rowsIn path: String?, limit: Int) throws -> (
    rows: [[String: ForeignValue]]?, members: [String: ForeignValue]
  ) {
    var members: [String: ForeignValue] = [:]
    var rows: [[String: ForeignValue]]?
    skipSpace()
    if let path {
      try object(rowsIn: path, below: "", limit, &rows, &members)
    } else {
      rows = try self.rows(limit: limit)
    }
    try end()
    return (rows, members)
  }

  private mutating func object(
    rowsIn path: String, below prefix: String, _ limit: Int, _ rows: inout [[String: ForeignValue]]?,
    _ members: inout [String: ForeignValue]
  ) throws {
    guard skip("{") else { throw failure("an object must begin here with {") }
    try elements(until: "}") { reader in
      let name = prefix + (try reader.name())
      if name == path {
        if rows != nil { throw reader.failure("there are two members \(name)") }
        rows = try reader.rows(limit: limit)
      } else if path.hasPrefix(name + ".") {
        reader.skipSpace()
        try reader.object(rowsIn: path, below: name + ".", limit, &rows, &members)
      } else {
        members[name] = try reader.value(depth: 1)
      }
    }
  }

  private mutating func rows(limit: Int) throws -> [[String: ForeignValue]] {
    var rows: [[String: ForeignValue]] = []
    skipSpace()
    guard skip("[") else { throw failure("an array must begin here with [") }
    try elements(until: "]") { reader in
      if rows.count == limit { throw reader.failure("there are more than \(limit) rows") }
      guard reader.skip("{") else { throw reader.failure("an object must begin here with {") }
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

extension [String: ForeignValue] {
  /// The member at a path, such as `meta.next_cursor`; nil if there is none. A member whose own name contains the dots
  /// takes precedence.
  func member(_ path: String) -> ForeignValue? {
    if let value = self[path] { return value }
    var end = path.endIndex
    while let dot = path[..<end].lastIndex(of: ".") {
      if case .json(let text)? = self[String(path[..<dot])] {
        var reader = JSONReader(text)
        // An array has no members, and other texts were read already.
        guard let inner = try? reader.object() else { return nil }
        return inner.member(String(path[path.index(after: dot)...]))
      }
      end = dot
    }
    return nil
  }
}
