#if canImport(os)
  public import os

  /// Shows each statement and each missing index as a signpost event in Instruments.
  public struct SignpostSink: StatementSink {
    private let signposter: OSSignposter

    public init(_ signposter: OSSignposter) {
      self.signposter = signposter
    }

    public func receive(_ statement: StatementRecord) {
      signposter.emitEvent(
        "statement",
        "\(statement.operation?.name ?? "-", privacy: .public): \(statement.rowCount) rows in \(statement.duration.nanoseconds) ns: \(statement.sql, privacy: .public)"
      )
    }

    public func receive(_ missingIndex: MissingIndex) {
      signposter.emitEvent("missing index", "\(missingIndex.description, privacy: .public)")
    }
  }
#endif
