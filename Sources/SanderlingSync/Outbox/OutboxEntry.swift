import Sanderling

/// A pending change of one row: the values that the server had last, the row as it is here, and how far the exchange with the server is.
///
/// ``transition(_:_:_:)`` decides every change of it.
struct OutboxEntry: Equatable, Sendable {
  typealias Row = [StorageValue]

  /// The entry's number, which puts changes of all tables in order.
  let sequence: Int64
  let key: [StorageValue]
  /// The row that the server had last; nil for no row.
  var base: Row?
  /// The row as it is here; nil for none.
  var row: Row?
  var state = State.unsent
  /// Whether the base has values of a mutation that the server took, beside another row that was pulled. Nobody knows
  /// which of both came last.
  var isAssumed = false
  /// Whether the record isn't this device's any more.
  var isDeparted = false
  /// How often it was in conflict since the last news of its row, up to ``stuckCount``; one more since the source named all that it has.
  var conflicts: Int64 = 0
  /// The reason of the last conflict, while it waits for its turn.
  var conflictReason: String?

  enum State: Equatable, Sendable {
    /// It waits for its turn.
    case unsent
    /// It waits for its turn. The server may have the mutation that was sent before.
    case uncertain(Sent)
    /// The server took the mutation, and another row was pulled meanwhile, of before or after it. The difference to both is sent; of a new
    /// row the next pull tells first what became of it. The version is the server's.
    case taken(Sent, version: String?)
    /// The server went back, and may have lost mutations that it took. It waits for the pull. The rows are those that
    /// the server had, in their order; nil for no row.
    case returned([Row?])
    /// The mutation is under way, or its answer was lost.
    case sending(Sent, Meanwhile)
    /// The server refused the mutation. An edit of the row sends both.
    case refused(Sent, reason: String, isEdited: Bool)
  }

  /// A mutation with its number.
  struct Sent: Equatable, Sendable {
    enum Kind: Int64, Sendable {
      case insertion = 1
      case update, deletion
    }

    let kind: Kind
    /// All values of the row as it was sent; nil for a deletion.
    var row: Row?
    /// The places of the columns that were sent: the record may have more since.
    let columns: [Int]
    let number: Int64
    /// The version that the mutation is based on.
    var baseVersion: String?
    /// How often it was sent again.
    var attempts: Int64 = 0
  }

  /// Events of a row while its mutation is under way.
  struct Meanwhile: Equatable, Sendable {
    enum Basis: Int64, Sendable {
      /// The base is as it was when the mutation was sent.
      case asSent = 0
      /// A pull merged another base.
      case changed = 1
      /// A server without versions told the base again: another device may have brought it back.
      case toldAgain = 2
    }

    var basis = Basis.asSent
    /// Whether the app has changed the row.
    var isEdited = false
    /// A pulled change that waits for the answer.
    var held: SyncChange?
    /// The reason of the last failure.
    var failure: String?
    /// The server took the mutation: it isn't sent again. That is settled when the looks under way are over, whose statements may be older.
    var acknowledgement: Acknowledgement?
  }

  /// The answer of a server that took a mutation.
  struct Acknowledgement: Equatable, Sendable {
    let version: String?
    /// The last staged change when the mutation was sent: see ``Outbox/Sending/lastStaged``.
    let lastStaged: Int64
  }
}

extension OutboxEntry {
  /// The mutation that was sent last, as far as it is known.
  var sent: Sent? {
    switch state {
    case .unsent, .returned: nil
    case .uncertain(let sent), .taken(let sent, _), .sending(let sent, _), .refused(let sent, _, _): sent
    }
  }

  var isSending: Bool { if case .sending = state { true } else { false } }

  /// Whether the server took the mutation, and only the looks under way are waited for.
  var isAnswered: Bool {
    if case .sending(_, let meanwhile) = state { meanwhile.acknowledgement != nil } else { false }
  }

  /// Whether that is so, and the row was not changed here since.
  var isTakenAsItIs: Bool {
    if case .sending(_, let meanwhile) = state { isAnswered && !meanwhile.isEdited } else { false }
  }

  /// Whether its turn can come.
  var isSendable: Bool {
    switch state {
    case .unsent, .uncertain, .taken: true
    case .sending, .returned: false
    case .refused(_, _, let isEdited): isEdited
    }
  }

  /// Whether it isn't known if the server has the row. The next pull tells.
  var isUncertain: Bool {
    switch state {
    case .uncertain(let sent), .taken(let sent, _): base == nil && sent.kind == .insertion
    case .returned: true
    case .unsent, .sending, .refused: false
    }
  }

  /// Whether the server may have the mutation though the row is as it was before: nothing new of it was told since the conflict.
  var waitsForNews: Bool { if case .uncertain = state { isUncertain || conflicts > 0 } else { isUncertain } }

  /// The row that the server has of this device's; nil where it has none, or the row isn't this device's any more.
  var known: Row? { isDeparted ? nil : base }

  /// The mutation that the server needs, and the places of its columns; nil where the row is as the server has it.
  var difference: (kind: Sent.Kind, columns: [Int])? {
    var taken: Sent?
    if case .taken(let sent, _) = state { taken = sent }
    switch (base, row) {
    case (nil, nil): return taken?.kind == .update ? (.deletion, []) : nil
    case (nil, let row?): return (.insertion, Array(row.indices))
    case (_?, nil): return (.deletion, [])
    case (_?, let row?) where taken?.kind == .deletion: return (.insertion, Array(row.indices))
    case (let base?, let row?):
      let columns = row.indices.filter { place in
        base[place] != row[place] || (taken?.columns.contains(place) == true && taken?.row?[place] != row[place])
      }
      return columns.isEmpty ? nil : (.update, columns)
    }
  }
}

extension OutboxEntry.Sent {
  /// The values of the columns that were sent, by their names.
  func values(_ columns: [String]) -> [String: StorageValue] {
    guard let row else { return [:] }
    return Dictionary(self.columns.map { (columns[$0], row[$0]) }) { first, _ in first }
  }

  /// The mutation as a sink gets it: sent again, it is the same.
  func mutation(_ record: SyncedRecord, key: [StorageValue], client: String) -> Mutation {
    let content: Mutation.Content =
      switch kind {
      case .insertion: .insertion(values(record.synced.columns))
      case .update: .update(values(record.synced.columns))
      case .deletion: .deletion
      }
    return Mutation(record.name, key: key, content, baseVersion: baseVersion, client: client, sequence: number)
  }

  /// The row that a server has which took it.
  func change(_ record: SyncedRecord, key: [StorageValue], version: String?) -> SyncChange {
    SyncChange(
      record.name, key: key, kind == .deletion ? .deletion : .row(values(record.synced.columns)), version: version)
  }
}
