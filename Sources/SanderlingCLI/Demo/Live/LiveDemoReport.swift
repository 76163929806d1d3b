import Sanderling

/// The final report of the demonstration of live results.
struct LiveDemoReport: Sendable {
  /// The cost of an import.
  struct Cost: Hashable, Sendable {
    let duration: Duration
    /// The time of all processors, without git's.
    let processTime: Duration
  }

  /// The way in which one result is kept current.
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

  /// The report of the import with live results.
  let imported: DemoReport
  let deliveries: DeliveryFigures
  let explanations: [Explanation]
  /// The cost with live results open.
  let followed: Cost
  /// The cost without live results.
  let plain: Cost
}

// MARK: - Text

extension LiveDemoReport {
  /// The report as text.
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
  /// The report as one JSON object: the report of a plain import, with a member `live`.
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
    /// The median delay. It and the next two delays are nil without deliveries.
    let delayP50Seconds: Double?
    let delayP99Seconds: Double?
    let longestDelaySeconds: Double?
    let secondsWithLiveResults: Double
    let secondsWithout: Double
    let processorSecondsWithLiveResults: Double
    let processorSecondsWithout: Double
    /// Whether each result is maintained, by its name.
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
