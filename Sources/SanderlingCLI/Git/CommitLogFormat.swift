/// How commits are asked for, so that ``CommitLogParser`` can read them.
enum CommitLogFormat {
  /// Starts each commit; no line that counts a file's changes starts with it.
  static let marker: UInt8 = 0x01

  /// The command that lists all commits that lead to `head`, newest first, with the files that each changed.
  static func all(from head: String) -> [String] {
    log + [head, "--"]
  }

  /// The command that lists the commits whose hashes it reads, one on a line, in their order.
  static let listed = log + ["--no-walk=unsorted", "--stdin", "--"]

  /// The fields of a commit are its hash, parents, committer's and author's dates, author and subject. Each option overrides a setting that
  /// a user may have made.
  private static let log = [
    "log", "-z", "--numstat", "--format=tformat:%x01%H%x00%P%x00%ct%x00%ad%x00%aN%x00%s", "--date=raw",
    "--encoding=UTF-8", "--root", "--no-diff-merges", "--find-renames", "-l1000", "--diff-algorithm=myers",
    "--no-relative", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes", "-O/dev/null",
  ]
}
