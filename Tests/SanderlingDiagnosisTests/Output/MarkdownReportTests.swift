import Testing

@testable import SanderlingDiagnosis

struct MarkdownReportTests {
  @Test func isATableWithDetailsToOpen() {
    var report = SampleReport.tasks
    report.findings = [SampleReport.scan, SampleReport.setting]
    report.statements = [SampleReport.search]
    #expect(
      MarkdownReport(report).text == #"""
        ## Diagnosis of Tasks.sqlite

        **2 findings: 1 warning, 1 note.** Checked 1 statement, 12 tables and 9 indexes in 3.2 s; 1 part of the input left out.

        1 statement (7 executions) takes 86.8 ms, 0.42 ms with the following fixes.

        SQLite 3.40.1, 24.1 MB, pages of 4,096 bytes, journal mode delete, 12 tables, 9 indexes, no statistics.

        ### 1. This index speeds up S2, saves 86.4 ms of 86.8 ms

        ```sql
        CREATE INDEX task_projectID_dueDate ON task (projectID, dueDate)
        ```

        | Statement | Before | After | SQL |
        | --- | ---: | ---: | --- |
        | S2 | 86.8 ms | 0.42 ms | <code>SELECT id, title FROM task WHERE projectID = ? ORDER BY dueDate LIMIT ?</code> |

        ### 2. Another index replaces task\_projectID

        ```sql
        DROP INDEX task_projectID
        ```

        ### For the whole database

        - <code>PRAGMA journal\_mode = WAL</code>: for small transactions

        <details>
        <summary>1. task is read in full, 98,304 rows, to return 50</summary>

        **warning** · <code>full-scan</code> · S2

        At <code>SCAN task</code>

        No index serves projectID and dueDate.

        - rows read to rows returned: 1,966

        **Fix:** Index task by project and date

        ```sql
        CREATE INDEX task_projectID_dueDate ON task (projectID, dueDate)
        ```

        Measured on a copy:

        | Values |  | Before | After | Gain |
        | --- | --- | ---: | ---: | ---: |
        | typical | warm time | 12.4 ms | 0.06 ms | 207× |
        | typical | cold time | 18.6 ms | 0.09 ms | 207× |
        | typical | steps | 884,812 | 512 | 1,728× |
        | typical | pages | 1,210 | 8 | 151× |
        | typical | cold pages | 605 | 4 | 151× |

        Limit: Values were sampled from the data: the log has none.

        </details>

        <details>
        <summary>2. The journal mode is delete: readers wait for writers</summary>

        **note** · <code>journal-mode</code>

        With write-ahead logging they don't, and commits are synchronized less often.

        **Fix:** Use write-ahead logging

        ```sql
        PRAGMA journal_mode = WAL
        ```

        GRDB:

        ```swift
        DatabasePool(path: path)
        ```

        Not measured: It matters for connections that work at the same time.

        </details>

        <details>
        <summary>Indexes for the whole workload</summary>

        One index in place of another serves both statements.

        The set takes 132 pages, writes cost +4 %.

        - Create task\_projectID\_dueDate on task, 412 pages, for S2
        - Drop task\_projectID on task, 280 pages

        | Values |  | Before | After | Gain |
        | --- | --- | ---: | ---: | ---: |
        | S2 typical | warm time | 12.4 ms | 0.06 ms | 207× |
        | S2 typical | cold time | 18.6 ms | 0.09 ms | 207× |
        | S2 typical | steps | 884,812 | 512 | 1,728× |
        | S2 typical | pages | 1,210 | 8 | 151× |
        | S2 typical | cold pages | 605 | 4 | 151× |

        ```sql
        CREATE INDEX task_projectID_dueDate ON task (projectID, dueDate);
        DROP INDEX task_projectID;
        ```

        GRDB:

        ```swift
        try db.create(index: "task_projectID_dueDate", on: "task", columns: ["projectID", "dueDate"])
        ```

        Sanderling:

        ```swift
        @Record(indexes: [.on(\.projectID, \.dueDate)])
        ```

        </details>

        <details>
        <summary>S2</summary>

        7 times

        It takes 12.4 ms and returns 1 row; one fix is proven.

        ```sql
        SELECT id, title FROM task WHERE projectID = ? ORDER BY dueDate LIMIT ?
        ```

        - typical: 12.4 ms warm, 18.6 ms cold, 884,812 steps, 1,210 pages, 1 row returned

        ```
        CO-ROUTINE upcoming
          SCAN task  -- 281 rows, 98,304 read, 93 % of the work ◀
          USE TEMP B-TREE FOR ORDER BY  -- 281 rows, 7 % of the work
        SCAN upcoming
        ```

        The plan does not show: OFFSET steps over 10,000 rows before the first one is returned.

        </details>

        Left out:

        - <code>app.log:17</code>: The line is longer than 1 MiB.

        Conditions:

        - Cold is the first execution on a connection with an empty cache; the operating system's cache is not emptied.
        - NSCoreDataStringSearch is the app's own function: a stand-in took its place.

        """#)
  }

  @Test func saysThatAllIsFine() {
    let text = MarkdownReport(SampleReport.fine).text
    #expect(text.contains("**No findings.** Checked 1 statement, 12 tables and 9 indexes in 310 ms."))
    #expect(!text.contains("| Severity |"))
  }

  @Test func markupInTextsIsEscaped() {
    #expect(
      MarkdownText.inline("a|b *c* `d` <e> [f](g) @all #12 http://h www.i")
        == #"a\|b \*c\* \`d\` &lt;e&gt; \[f\](g) @<!-- -->all #<!-- -->12 http:<!-- -->//h www<!-- -->.i"#)
    #expect(MarkdownText.inline("    code") == "code")
  }

  @Test func fenceIsLongerThanFencesInTheCode() {
    #expect(MarkdownText.fence("a\n```\nb", language: "sql") == "````sql\na\n```\nb\n````\n")
    #expect(MarkdownText.fence("a", language: "") == "```\na\n```\n")
  }

  @Test func hostileTextAddsNoMarkup() {
    let text = MarkdownReport(SampleReport.hostile).text
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.steersOutput })
    // Outside of fences, only the report's own tags are HTML.
    var fence: Substring?
    var opened = 0
    for line in text.split(separator: "\n") {
      if let end = fence {
        if line == end { fence = nil }
        continue
      }
      let ticks = line.prefix { $0 == "`" }
      if ticks.count >= 3 {
        fence = ticks
        continue
      }
      #expect(!line.contains("<script"))
      opened += line == "<details>" ? 1 : line == "</details>" ? -1 : 0
      #expect(opened == 0 || opened == 1)
    }
    #expect(fence == nil)
    #expect(opened == 0)
  }

  @Test func showsStatementsAsFingerprintsUnlessValuesAreAskedFor() {
    #expect(!MarkdownReport(SampleReport.tasks).text.contains("secret"))
    #expect(MarkdownReport(SampleReport.tasks, showsValues: true).text.contains("'secret'"))
  }

  @Test func fitsIntoAComment() {
    var report = SampleReport.workload(of: 2_000)
    report.findings = report.statements.map { statement in
      var finding = SampleReport.scan
      finding.statement = statement.statement.id
      return finding
    }
    let text = MarkdownReport(report).text
    #expect(text.utf16.count <= 65_000)
    #expect(text.contains("of the details would make this text too long"))
    #expect(text.contains("and 1,983 more."))
  }
}
