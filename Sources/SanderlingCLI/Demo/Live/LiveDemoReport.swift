import Sanderling

/// The results of the live demonstration.
struct LiveDemoReport: Sendable {
  /// The cost of an import.
  struct Cost: Hashable, Sendable {
    let duration: Duration
    /// The time of all processors, git's own excluded.
    let processTime: Duration
  }

  /// How one of the results is followed.
  struct Explanation: Hashable, Sendable {
    let name: String
    let isMaintained: Bool
    let text: String

    init(_ name: String, _ explanation: LiveExplanation) {
      self.name = name
      isMaintained = explanation.isMaintained
      text = explanation.description
    }
  }

  /// The contents of the store after the import with live results.
  let imported: DemoReport
  let deliveries: DeliveryFigures
  let explanations: [Explanation]
  /// The import with live results open.
  let followed: Cost
  /// The import without.
  let plain: Cost
}

// MARK: - Text

extension LiveDemoReport {
  /// The report for a reader.
  var text: String {
    """
    \(imported.figures)

    While this was imported, \(LiveBoard.contents) were live:
    \(deliveryTable.text)
    p50 and p99 are the delays from the commit of a write until the main actor had the rows that show it.
    \(explanations.map { "The \($0.name): \($0.text)" }.joined(separator: "\n"))
    In the end all of them equalled a fresh SELECT.

    The history was imported twice, into two fresh stores that are removed again; first with live results,
    so that the second import found git's files in memory:
    \(costTable.text)
    """
  }

  private var deliveryTable: TextTable {
    var table = TextTable([("Deliveries", .right), ("p50", .right), ("p99", .right), ("Longest", .right)])
    table.append(
      [deliveries.count.grouped]
        + [deliveries.median, deliveries.percentile99, deliveries.longest].map { $0?.brief ?? "none" })
    return table
  }

  private var costTable: TextTable {
    var table = TextTable([("Import", .left), ("Time", .right), ("Processor time", .right)])
    table.append(["with live results", followed.duration.brief, followed.processTime.brief])
    table.append(["without", plain.duration.brief, plain.processTime.brief])
    return table
  }
}

// MARK: - JSON

extension LiveDemoReport {
  /// The report for a program: the object of the report without live results, with a member `live`.
  var json: String {
    get throws { try JSON(report: self).jsonText }
  }

  private struct JSON: Encodable {
    let report: LiveDemoReport

    enum CodingKeys: CodingKey {
      case live
    }

    func encode(to encoder: any Encoder) throws {
      try DemoReport.JSON(report.imported, store: nil).encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(Live(report), forKey: .live)
    }
  }

  private struct Live: Encodable {
    let deliveries: Int
    /// Nil when there were no deliveries.
    let delayP50Seconds: Double?
    let delayP99Seconds: Double?
    let longestDelaySeconds: Double?
    let secondsWithLiveResults: Double
    let secondsWithout: Double
    let processorSecondsWithLiveResults: Double
    let processorSecondsWithout: Double
    /// By the name of the result.
    let isMaintained: [String: Bool]

    init(_ report: LiveDemoReport) {
      deliveries = report.deliveries.count
      delayP50Seconds = report.deliveries.median?.seconds
      delayP99Seconds = report.deliveries.percentile99?.seconds
      longestDelaySeconds = report.deliveries.longest?.seconds
      secondsWithLiveResults = report.followed.duration.seconds
      secondsWithout = report.plain.duration.seconds
      processorSecondsWithLiveResults = report.followed.processTime.seconds
      processorSecondsWithout = report.plain.processTime.seconds
      isMaintained = Dictionary(uniqueKeysWithValues: report.explanations.map { ($0.name, $0.isMaintained) })
    }
  }
}
