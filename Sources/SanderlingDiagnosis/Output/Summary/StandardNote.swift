/// Notes in all reports on the origin of figures.
enum StandardNote {
  static func all(sqliteVersion: String) -> [String] {
    [
      "Measured with SQLite \(sqliteVersion) on a copy of the database. Another version may plan "
        + "otherwise.",
      "Cold: the first execution with an empty page cache; the operating system's cache is not emptied. Warm: the least time "
        + "of one to seven executions that find all pages in the cache. Their times are the processor's: waiting for a disk, or "
        + "for other processes, is not in them.",
    ]
  }
}

extension DiagnosisReport {
  /// The limits of this particular report.
  var ownNotes: [String] {
    let standard = StandardNote.all(sqliteVersion: database.sqliteVersion)
    return notes.filter { !standard.contains($0) }
  }
}
