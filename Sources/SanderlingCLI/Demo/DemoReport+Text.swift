extension DemoReport {
  /// The report for a reader.
  var text: String {
    """
    \(changes) in \(importDuration.brief), at most \(peakResidentBytes.megabytes) of memory.

    \(totals)
    Newest commits (each day in its author's time zone)
    \(newestTable.text)
    Authors with most commits
    \(authorTable.text)
    \(timing)
    Store: \(storePath.printable)
    Run again to add what is new.

    """
  }

  private var changes: String {
    let parts = [
      outcome.commitsAdded > 0 ? "added \(counted(outcome.commitsAdded))" : nil,
      outcome.commitsRemoved > 0 ? "removed \(counted(outcome.commitsRemoved)) that HEAD no longer reaches" : nil,
      outcome.commitsReattributed > 0 ? "gave \(counted(outcome.commitsReattributed)) another author" : nil,
    ].compactMap { $0 }
    return "\(repository.printable): " + (parts.isEmpty ? "nothing to do" : parts.joined(separator: ", "))
  }

  private func counted(_ commits: Int) -> String {
    "\(commits.grouped) \(commits == 1 ? "commit" : "commits")"
  }

  private var totals: String {
    var table = TextTable([("Commits", .right), ("Merges", .right), ("Authors", .right), ("File changes", .right)])
    table.append([commits.grouped, merges.grouped, authors.grouped, fileChanges.grouped])
    return table.text
  }

  private var newestTable: TextTable {
    var table = TextTable([("Commit", .left), ("Day", .left), ("Author", .left), ("Subject", .left)])
    for commit in newestCommits {
      table.append([
        String(decoding: commit.hash.hexadecimal.prefix(10), as: UTF8.self), commit.authoredDay,
        commit.author.printable.truncated(toWidth: 24), commit.subject.printable.truncated(toWidth: 60),
      ])
    }
    return table
  }

  private var authorTable: TextTable {
    var table = TextTable([
      ("Author", .left), ("Commits", .right), ("Merges", .right), ("Files changed", .right), ("Lines added", .right),
      ("Lines deleted", .right), ("First day", .left), ("Last day", .left),
    ])
    for author in topAuthors {
      table.append([
        author.name.printable.truncated(toWidth: 32), author.commits.grouped, author.merges.grouped,
        author.filesChanged.grouped, author.linesAdded.grouped, author.linesDeleted.grouped, author.firstDay ?? "",
        author.lastDay ?? "",
      ])
    }
    return table
  }

  private var timing: String {
    "The authors' figures took \(summaryQuery.text) as the projection AuthorSummary, "
      + "\(joinedQuery.text) as LEFT JOINs with COUNT(DISTINCT …)."
  }
}

extension DemoReport.Measurement {
  fileprivate var text: String {
    switch self {
    case .took(let duration): duration.brief
    case .exceeded(let limit): "more than \(limit.brief)"
    }
  }
}
