import Sanderling

/// The author summary, as joined and grouped by hand.
///
/// A joined commit appears once for each file that it changed, so commits are counted by `COUNT(DISTINCT …)`. The sums
/// are right only because no second to-many table is joined. With a second one, each line would be counted several
/// times.
enum JoinedAuthorSummary {
  static func top(_ count: Int) -> RawQuery<(String, Int, Int, Int, Int64, Int64, String?, String?)> {
    RawQuery(
      """
      SELECT a.name, COUNT(DISTINCT c.id), COUNT(DISTINCT CASE WHEN c.isMerge THEN c.id END), COUNT(f.id),
        COALESCE(SUM(f.linesAdded), 0), COALESCE(SUM(f.linesDeleted), 0), MIN(c.authoredDay), MAX(c.authoredDay)
      FROM \(Author.self) AS a
        LEFT JOIN \(GitCommit.self) AS c ON c.authorID = a.id
        LEFT JOIN \(FileChange.self) AS f ON f.commitID = c.id
      GROUP BY a.id
      ORDER BY 2 DESC, 1
      LIMIT \(count)
      """, as: String.self, Int.self, Int.self, Int.self, Int64.self, Int64.self, String?.self, String?.self)
  }
}
