import SanderlingSQLite

extension DatabaseCopy {
  /// A database in memory with the same schema and statistics and no rows, for asking how statements would be planned.
  ///
  /// Plans depend on schema and statistics only, and making or dropping an index of an empty table takes microseconds.
  /// Virtual tables whose module is missing, and what depends on them, are left out. Throws `DiagnosisError`.
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
      // The tables of virtual ones are there already: virtual ones come first.
      try? target.run(sql)
    }
    try target.run("COMMIT")
    try copyStatistics(to: target)
    return target
  }

  /// Copies what ANALYZE wrote, and lets the planner read it.
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
