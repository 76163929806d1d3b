import SanderlingSQLite

extension DatabaseCopy {
  /// Returns an in-memory database with the same schema and statistics but without rows, for plans of statements.
  ///
  /// Plans depend on the schema and the statistics only, and creating or dropping an index of an empty table takes
  /// microseconds. Virtual tables without their module, and objects that depend on these, are left out. Throws
  /// `DiagnosisError`.
  func makeSchemaCopy() throws -> SQLiteConnection {
    let target = try SQLiteConnection(path: "", mode: .memory)
    target.install(standIns)
    target.names = connection.names
    let rows = try connection.rows(
      """
      SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY CASE type WHEN 'table' THEN sql NOT LIKE 'create virtual%' WHEN 'index' THEN 2 ELSE 3 END, rowid
      """)
    try target.run("BEGIN")
    for row in rows {
      guard let sql = row[2].text else { continue }
      // Virtual tables come first and have already created their own tables.
      try? target.run(sql)
    }
    try target.run("COMMIT")
    try copyStatistics(to: target)
    return target
  }

  /// Copies the statistics of ANALYZE, and makes the planner read them.
  private func copyStatistics(to target: SQLiteConnection) throws {
    guard let statistics = try? connection.rows("SELECT tbl, idx, stat FROM sqlite_stat1") else { return }
    try target.run("ANALYZE sqlite_master")
    try target.run("DELETE FROM sqlite_stat1")
    try target.run("BEGIN")
    for row in statistics { try target.run("INSERT INTO sqlite_stat1 VALUES (?, ?, ?)", row) }
    if let samples = try? connection.rows("SELECT * FROM sqlite_stat4"), let width = samples.first?.count,
      (try? target.value("SELECT count(*) FROM sqlite_stat4")) != nil
    {
      let places = Array(repeating: "?", count: width).joined(separator: ", ")
      for row in samples { try target.run("INSERT INTO sqlite_stat4 VALUES (\(places))", row) }
    }
    try target.run("COMMIT")
    try target.run("ANALYZE sqlite_master")
  }
}
