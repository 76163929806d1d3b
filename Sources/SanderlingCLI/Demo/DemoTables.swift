/// The tables of the report and the live board.
enum DemoTables {
  static func totals(commits: Int, merges: Int, authors: Int, fileChanges: Int) -> TextTable {
    var table = TextTable([("Commits", .right), ("Merges", .right), ("Authors", .right), ("File changes", .right)])
    table.append([commits.grouped, merges.grouped, authors.grouped, fileChanges.grouped])
    return table
  }

  static func newest(_ commits: some Sequence<NewestCommit>) -> TextTable {
    var table = TextTable([("Commit", .left), ("Day", .left), ("Author", .left), ("Subject", .left)])
    for commit in commits {
      table.append([
        String(commit.hash.hexadecimalText.prefix(10)), commit.authoredDay,
        commit.author.printable.cut(toWidth: 24), commit.subject.printable.cut(toWidth: 60),
      ])
    }
    return table
  }

  static func authors(_ authors: some Sequence<AuthorSummary>) -> TextTable {
    var table = TextTable([
      ("Author", .left), ("Commits", .right), ("Merges", .right), ("Files changed", .right), ("Lines added", .right),
      ("Lines deleted", .right), ("First day", .left), ("Last day", .left),
    ])
    for author in authors {
      table.append([
        author.name.printable.cut(toWidth: 32), author.commits.grouped, author.merges.grouped,
        author.filesChanged.grouped, author.linesAdded.grouped, author.linesDeleted.grouped, author.firstDay ?? "",
        author.lastDay ?? "",
      ])
    }
    return table
  }
}
