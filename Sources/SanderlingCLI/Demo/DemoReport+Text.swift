import SanderlingTerminal

extension DemoReport {
  /// The report as text.
  var text: String {
    """
    \(search.map { "\(imported)\n\n\($0.text)" } ?? figures)
    Store: \(storePath.printable)
    Run again to add new commits.

    """
  }

  /// The figures of the import, without the store's path.
  var figures: String {
    """
    \(imported)

    \(DemoTables.totals(commits: commits, merges: merges, authors: authors, fileChanges: fileChanges).text)
    Newest commits (each day in its author's time zone)
    \(DemoTables.newest(newestCommits).text)
    Authors with most commits
    \(DemoTables.authors(topAuthors).text)
    \(timing)
    """
  }

  private var imported: String {
    "\(changes) in \(importDuration.brief), at most \(Figure.bytes(Int64(peakResidentBytes))) of memory."
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

extension SubjectSearch {
  fileprivate var text: String {
    """
    \(found.grouped) \(found == 1 ? "commit has" : "commits have") “\(input.printable)” in the subject, \(foundByAuthor.grouped) in the \
    author's name. The best ten took \(query.text); counting by LIKE takes \(likeQuery.text) and finds \(foundByLike.grouped).

    \(DemoTables.newest(commits).text)
    """
  }
}
