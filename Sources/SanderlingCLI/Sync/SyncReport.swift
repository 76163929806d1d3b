import Foundation
import Sanderling
import SanderlingSync

/// The results of a run of `sanderling sync`.
struct SyncReport: Encodable {
  struct Misfit: Encodable {
    /// The row's key; empty for an unreadable line, whose key is unknown, and for a row without a key.
    let key: [String]
    let column: String?
    let reason: String
  }

  /// The number of quarantined rows that are listed.
  static let misfitLimit = 20

  let file: String
  let database: String
  let record: String
  let counts: SyncCounts
  /// Parked rows of other files that this run applied.
  let followed: Int
  /// The number of waiting rows, including those of former runs.
  let waiting: Int
  /// The number of waiting deletions, which wait until no row refers to their rows.
  let blocked: Int
  /// The columns that the tables lack, whose values are kept beside the tables.
  private(set) var keptColumns: [String]
  /// The form of the file as its bytes showed it, by the options that would set it: `delimiter` and `encoding`.
  private(set) var detected: [String: String] = [:]
  /// The number of quarantined rows, including those of former runs.
  let quarantine: Int
  /// The number of local changes that the server acknowledged; nil if none are sent.
  let sent: Int?
  /// The number of pending changes that are left.
  let left: Int?
  let failure: String?
  let isUnchanged: Bool
  let seconds: Double
  let rowsPerSecond: Double
  let misfits: [Misfit]

  init(
    file: String, database: String, record: String, summary: SyncSummary, followed: Int, blocked: Int,
    keptColumns: [String], quarantine: Int, misfits: [QuarantinedChange]
  ) {
    self.file = file
    self.database = database
    self.record = record
    counts = summary.counts
    self.followed = followed
    waiting = summary.waiting
    self.blocked = blocked
    self.keptColumns = keptColumns
    self.quarantine = quarantine
    sent = summary.sent?.acknowledged
    left = summary.sent?.left
    failure = summary.sent?.failure
    isUnchanged = summary.isUnchanged && followed == 0
    seconds = summary.duration.seconds
    rowsPerSecond = summary.rate
    self.misfits = misfits.map {
      Misfit(
        key: $0.change.key.allSatisfy(\.isNull) ? [] : $0.change.key.map { $0.shown }, column: $0.column,
        reason: $0.reason.inCommandWords)
    }
  }

  mutating func note(_ findings: FileFindings) {
    detected["delimiter"] = findings.delimiter.map { $0 == "\t" ? "tab" : String($0) }
    detected["encoding"] = findings.encoding?.rawValue
  }

  /// Removes ignored columns, whose values a former run may have kept.
  mutating func leaveOut(_ ignored: Set<String>) {
    let ignored = Set(ignored.map(\.folded))
    keptColumns.removeAll { ignored.contains($0.folded) }
  }

  var isLeft: Bool { (left ?? 0) > 0 }

  var text: String {
    let time = Duration.seconds(seconds).brief
    let read = "\(counts.received.counted("row")) \(counts.received == 1 ? "was" : "were") read in \(time)"
    var lines = [
      isUnchanged
        ? "\(record.printable): nothing changed; \(read)."
        : "\(record.printable): \(read) "
          + "(\(Int(rowsPerSecond).grouped) a second): "
          + "\(counts.written.grouped) written, \(counts.unchanged.grouped) as before, \(counts.removed.grouped) removed"
          + (counts.superseded > 0
            ? ", \(counts.superseded.grouped) left out, since another row has the same key." : ".")
    ]
    if !detected.isEmpty {
      let options = detected.sorted { $0.key < $1.key }.map { "--\($0.key) '\($0.value)'" }
      lines.append("Read with \(options.joined(separator: " and ")), as the file shows.")
    }
    if followed > 0 { lines.append("\(followed.counted("row")) of other files had waited for these rows.") }
    if let sent, sent > 0 { lines.append("Sent: \(sent.counted("change")).") }
    if let left, left > 0 {
      lines.append(
        "Still to be sent: \(left.counted("change"))\(failure.map { ": \($0.printable)" } ?? ""). Run the same command again."
      )
    }
    if waiting > blocked {
      lines.append(
        "Parked, since the rows that they refer to are missing: \((waiting - blocked).counted("row")). Load the missing rows, and the parked rows follow."
      )
    }
    if blocked > 0 {
      lines.append(
        "Not removed, since other rows refer to them: \(blocked.counted("row")). Remove the other rows, and run this again."
      )
    }
    if !keptColumns.isEmpty {
      let names = keptColumns.map(\.printable).joined(separator: ", ")
      lines.append(
        "The table lacks \(names): the values are kept beside the table. Run this again with --alter, which adds the columns; or add the columns, and run this again."
      )
    }
    if quarantine > 0 {
      lines.append(
        "In the table sanderling_sync_quarantine, since they don't fit: \(quarantine.counted("row")).")
      lines += misfits.map { misfit in
        "  \(misfit.key.isEmpty ? "a row without a key" : misfit.key.joined(separator: ", ").printable)\(misfit.column.map { ", column \($0.printable)" } ?? ""): "
          + misfit.reason.printable
      }
      if quarantine > misfits.count { lines.append("  and \((quarantine - misfits.count).grouped) more") }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension StorageValue {
  /// The value for display.
  var shown: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    case .blob(let data): Array(data).hexLiteral
    }
  }
}
