import Foundation
import GRDB
import Sanderling

/// Chooses the next entries to send.
///
/// Changes are sent in the order in which they happened. But all changes of a row are one, so a child may have been
/// changed before its new parent was inserted. Therefore each entry follows the entries that it depends on, which an
/// index finds. It reads at most as many entries of each table as it sends, however many are pending.
struct OutboxOrder {
  private let outbox: Outbox
  private let limit: Int
  private let moment: PushMoment
  /// New rows that wait because the server may have them: see ``PushMoment/beforePull``.
  private(set) var uncertain: Set<Int64> = []
  private var state: [Int64: State]
  private var chosen: [(SyncedRecord, OutboxEntry)] = []

  private enum State {
    case chosen
    /// The entry isn't sent now, and neither are the entries that depend on it.
    case waiting
    case visited
  }

  private struct Visit {
    let record: SyncedRecord
    let entry: OutboxEntry
    /// The entries that must be sent before; nil until they are searched.
    var dependencies: [Int64]?
  }

  private var records: [SyncedRecord] { outbox.records }

  init(_ outbox: Outbox, held: Set<Int64>, limit: Int, at moment: PushMoment) {
    self.outbox = outbox
    self.limit = limit
    self.moment = moment
    state = Dictionary(uniqueKeysWithValues: held.map { ($0, State.waiting) })
  }

  /// The entries to send, each with a difference. Entries without a difference are removed.
  mutating func entries(_ db: Database) throws -> [(SyncedRecord, OutboxEntry)] {
    var after = records.map { _ in Int64(0) }
    var isAtEnd = records.map { _ in false }
    while chosen.count < limit, isAtEnd.contains(false) {
      var page: [(index: Int, entry: OutboxEntry)] = []
      for (index, record) in records.enumerated() where !isAtEnd[index] {
        let entries = try record.entries(
          record.synced.selectSendable, [.integer(after[index]), .integer(Int64(limit))], db)
        isAtEnd[index] = entries.count < limit
        page += entries.map { (index, $0) }
      }
      page.sort { $0.entry.sequence < $1.entry.sequence }
      // After the last entry of a full page, its table may have further entries that precede entries of other tables.
      let end =
        records.indices.filter { !isAtEnd[$0] }.compactMap { index in
          page.last { $0.index == index }?.entry.sequence
        }.min() ?? .max
      for (index, entry) in page where entry.sequence <= end {
        after[index] = entry.sequence
        if chosen.count < limit { try visit(records[index], entry, db) }
      }
      // The rest of a shorter page is read again with the next page.
      for index in records.indices where page.contains(where: { $0.index == index && $0.entry.sequence > end }) {
        isAtEnd[index] = false
      }
    }
    return chosen
  }

  /// Chooses an entry, preceded by the entries that it depends on. Uses its own stack, because a tree of records can be
  /// deep.
  private mutating func visit(_ record: SyncedRecord, _ entry: OutboxEntry, _ db: Database) throws {
    var stack = [Visit(record: record, entry: entry)]
    while let visit = stack.popLast() {
      let id = visit.entry.sequence
      if let dependencies = visit.dependencies {
        let waits = dependencies.contains { state[$0] == .waiting }
        state[id] = waits ? .waiting : .chosen
        if !waits, chosen.count < limit { chosen.append((visit.record, visit.entry)) }
        continue
      }
      if state[id] != nil { continue }
      state[id] = .visited
      // An entry of an earlier page may no longer exist.
      guard let present = try visit.record.entry(visit.entry.key, db) else { continue }
      if moment.isBeforePull, present.isUncertain, present.row != nil {
        uncertain.insert(id)
        state[id] = .waiting
        continue
      }
      let due = OutboxEvent.due(isAfterPull: moment.isAfterPull)
      guard let entry = try outbox.apply(due, to: present, key: present.key, of: visit.record, db),
        entry.isSendable, entry.difference != nil
      else { continue }
      var expanded = Visit(record: visit.record, entry: entry, dependencies: [])
      var before: [Visit] = []
      for (record, other) in try dependencies(of: entry, visit.record, db) where other.sequence != id {
        expanded.dependencies?.append(other.sequence)
        if !other.isSendable {
          state[other.sequence] = .waiting
        } else if state[other.sequence] == nil {
          before.append(Visit(record: record, entry: other))
        }
      }
      stack.append(expanded)
      stack += before.reversed()
    }
  }

  // MARK: Dependencies

  /// Mutations that the server must acknowledge before: missing parents, or rows that referred to the deleted row at
  /// the server.
  private func dependencies(
    of entry: OutboxEntry, _ record: SyncedRecord, _ db: Database
  ) throws -> [(SyncedRecord, OutboxEntry)] {
    guard let row = entry.row else { return try formerChildren(of: entry, record, db) }
    var parents: [(SyncedRecord, OutboxEntry)] = []
    for reference in record.synced.references where !row[reference.column].isNull {
      guard let parent = self.record(reference.parent), parent.synced.key.count == 1,
        let found = try parent.entry([row[reference.column]], db)
      else { continue }
      let isUnknown = found.base == nil && found.row != nil && !found.isTakenAsItIs
      let isBeingDeleted = found.isSending && found.sent?.kind == .deletion
      if isUnknown || isBeingDeleted { parents.append((parent, found)) }
    }
    return parents
  }

  private func formerChildren(
    of entry: OutboxEntry, _ record: SyncedRecord, _ db: Database
  ) throws -> [(SyncedRecord, OutboxEntry)] {
    guard entry.key.count == 1 else { return [] }
    return try record.synced.references(among: records).flatMap { child, column in
      try child.entries(child.synced.selectReferring(column), entry.key, db)
        .filter { ($0.difference != nil || $0.isSending) && !$0.isTakenAsItIs }.map { (child, $0) }
    }
  }

  private func record(_ table: String) -> SyncedRecord? {
    let name = table.folded
    return records.first { $0.synced.name.folded == name }
  }
}
