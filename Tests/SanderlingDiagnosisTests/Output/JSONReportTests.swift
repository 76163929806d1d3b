import Foundation
import Testing

@testable import SanderlingDiagnosis

struct JSONReportTests {
  @Test func textIsTheSameEachTimeAndReadsBack() throws {
    let text = try JSONReport(SampleReport.tasks).text
    #expect(try JSONReport(SampleReport.tasks).text == text)
    let read = try JSONDecoder().decode(JSONReport.self, from: Data(text.utf8))
    #expect(read.version == 1)
    #expect(try read.text == text)
    #expect(read.summary.severities == ["wrong-result": 1, "error": 1, "warning": 1, "note": 2])
    #expect(read.findings.map(\.kind).first == "multiplied-aggregate")
    #expect(read.findings.map(\.outcome) == ["not-measured", "proven", "proven", "tried-not-better", "not-measured"])
    #expect(read.findings[1].comparisons[0].after.warmMilliseconds == 0.18)
    #expect(read.findings[1].gain?.isLowerBound == true)
    #expect(read.statements[1].plan.map(\.parent) == [nil, 3, 3, nil])
    #expect(read.statements[1].plan.map(\.step) == ["coroutine", "scan", "temporary-b-tree", "scan"])
  }

  @Test func aFindingIsWrittenAsDocumented() throws {
    var report = SampleReport.fine
    report.findings = [SampleReport.setting]
    report.statements = []
    #expect(
      try JSONReport(report).text == #"""
        {
          "database" : {
            "analyzedIndexes" : 0,
            "bytes" : 24117248,
            "indexes" : 9,
            "journalMode" : "delete",
            "name" : "Tasks.sqlite",
            "pageSize" : 4096,
            "sqliteVersion" : "3.40.1",
            "tables" : 12
          },
          "elapsedMilliseconds" : 310,
          "findings" : [
            {
              "comparisons" : [

              ],
              "evidence" : [

              ],
              "explanation" : "With write-ahead logging they don't, and commits are synchronized less often.",
              "fix" : {
                "grdb" : "DatabasePool(path: path)",
                "sql" : [
                  "PRAGMA journal_mode = WAL"
                ],
                "summary" : "Use write-ahead logging"
              },
              "isRemark" : true,
              "kind" : "journal-mode",
              "limits" : [

              ],
              "outcome" : "not-measured",
              "reason" : "It matters for connections that work at the same time.",
              "severity" : "note",
              "title" : "The journal mode is delete: readers wait for writers"
            }
          ],
          "fixes" : [

          ],
          "notes" : [

          ],
          "skipped" : [

          ],
          "statements" : [

          ],
          "summary" : {
            "findings" : 1,
            "severities" : {
              "error" : 0,
              "note" : 1,
              "warning" : 0,
              "wrong-result" : 0
            },
            "statements" : 0
          },
          "version" : 1
        }

        """#)
  }

  @Test func fixesAreGroupedWithTheirFindings() throws {
    let report = JSONReport(SampleReport.tasks)
    #expect(report.fixes?.map(\.kind) == ["rewrite", "index", "database"])
    #expect(report.fixes?.map(\.statements) == [[1], [2], []])
    #expect(report.fixes?.map(\.findings) == [[1], [2], []])
    #expect(report.findings.map(\.isRemark) == [false, false, false, false, true])
    let workload = try #require(report.workload)
    #expect(workload.executions == 49)
    #expect(workload.millisecondsAfter < workload.millisecondsBefore)
  }

  /// A JSON report of an earlier version, without groups of fixes, is still read, since scripts may have kept one.
  @Test func readsReportsWithoutGroups() throws {
    var object = try #require(
      JSONSerialization.jsonObject(with: Data(JSONReport(SampleReport.tasks).text.utf8)) as? [String: Any])
    object["fixes"] = nil
    object["workload"] = nil
    var findings = try #require(object["findings"] as? [[String: Any]])
    for place in findings.indices { findings[place]["isRemark"] = nil }
    object["findings"] = findings
    let read = try JSONDecoder().decode(JSONReport.self, from: JSONSerialization.data(withJSONObject: object))
    #expect(read.fixes == nil)
    #expect(read.findings.count == 5)
  }

  @Test func hasNoValuesUnlessAsked() throws {
    #expect(try !JSONReport(SampleReport.tasks).text.contains("secret"))
    let shown = JSONReport(SampleReport.tasks, showsValues: true)
    #expect(shown.statements[0].bindings == ["1": "'secret'", "3": "18"])
    #expect(shown.statements[0].sql.contains("'secret'"))
  }

  @Test func hostileTextIsEscapedAndReadsBack() throws {
    let text = try JSONReport(SampleReport.hostile).text
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.steersOutput })
    let read = try JSONDecoder().decode(JSONReport.self, from: Data(text.utf8))
    #expect(read.database.name == SampleReport.hostile.database.name)
    #expect(read.findings[0].evidence[0].value == nil)
    #expect(read.indexAdvice?.pages == .min)
  }
}
