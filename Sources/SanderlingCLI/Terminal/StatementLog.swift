import Foundation
import Logging
import Sanderling

/// Sends the statements of a store to swift-log, at the level debug.
struct StatementLog: StatementSink {
  private let logger: Logger

  init(logger: Logger) {
    self.logger = logger
  }

  /// Returns the log that the environment requests. `SANDERLING_LOG` is one of swift-log's levels.
  ///
  /// - Parameter isForced: Whether statements are logged independently of the environment.
  /// - Returns: Nil if the level is above debug.
  static func standardError(isForced: Bool, environment: [String: String]) -> StatementLog? {
    let level = environment["SANDERLING_LOG"].flatMap { Logger.Level(rawValue: $0.lowercased()) }
    var logger = Logger(label: "sanderling.statements") { StreamLogHandler(label: $0, stream: StandardErrorStream()) }
    logger.logLevel = isForced ? min(level ?? .debug, .debug) : level ?? .info
    return logger.logLevel <= .debug ? StatementLog(logger: logger) : nil
  }

  func receive(_ statement: StatementRecord) {
    logger.debug(
      "\(statement.sql)",
      metadata: [
        "operation": "\(statement.operation?.name ?? "")", "rows": "\(statement.rowCount)",
        "milliseconds": "\(statement.duration.seconds * 1000)", "steps": "\(statement.counters.virtualMachineSteps)",
      ])
  }
}

private struct StandardErrorStream: TextOutputStream {
  func write(_ string: String) { OutputWriter.standardError.show(string) }
}
