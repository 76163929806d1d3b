/// The git commands whose output ``CommitLogParser`` reads.
enum CommitLogFormat {
  /// The first byte of each commit. No line of a changed file begins with it.
  static let marker: UInt8 = 0x01

  /// Returns the command that lists all commits reachable from `head`, newest first, with the files that each changed.
  static func all(from head: String) -> [String] {
    log + [head, "--"]
  }

  /// The command that lists commits whose hashes it reads from standard input, one on a line, in the given order.
  static let listed = log + ["--no-walk=unsorted", "--stdin", "--"]

  /// The fields of a commit are its hash, parents, committer's date, author's date, author and subject. Each option
  /// overrides a setting that a user may have made.
  private static let log = [
    "log", "-z", "--numstat", "--format=tformat:%x01%H%x00%P%x00%ct%x00%ad%x00%aN%x00%s", "--date=raw",
    "--encoding=UTF-8", "--root", "--no-diff-merges", "--find-renames", "-l1000", "--diff-algorithm=myers",
    "--no-relative", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes", "-O/dev/null",
  ]
}
