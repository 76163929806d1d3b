import Sanderling

/// A pending change of one row: the server's last known values, the local row, and the state of the exchange with the
/// server.
///
/// ``transition(_:_:_:)`` makes every change of it.
struct OutboxEntry: Equatable, Sendable {
  typealias Row = [StorageValue]

  /// The entry's number, which orders the changes of all tables.
  let sequence: Int64
  let key: [StorageValue]
  /// The server's last known row; nil for no row.
  var base: Row?
  /// The local row; nil for none.
  var row: Row?
  var state = State.unsent
  /// Whether the base contains values of an acknowledged mutation beside values of another pulled row. The order of the
  /// mutation and the row is unknown.
  var isAssumed = false
  /// Whether the record no longer belongs to this device.
  var isDeparted = false
  /// The number of conflicts since the last news of its row, up to ``stuckCount``; one more after the source named all
  /// its rows.
  var conflicts: Int64 = 0
  /// The reason of the last conflict, until the change is sent again.
  var conflictReason: String?

  enum State: Equatable, Sendable {
    /// The change waits to be sent.
    case unsent
    /// The change waits to be sent. The server may have the mutation that was sent before.
    case uncertain(Sent)
    /// The server acknowledged the mutation, and another row was pulled meanwhile, in an unknown order. The difference
    /// from both is sent. For a new row, the next pull first shows its fate. The version is the server's.
    case taken(Sent, version: String?)
    /// The server went back and may have lost acknowledged mutations. The change waits for the pull. The rows are those
    /// that the server had, in order; nil for no row.
    case returned([Row?])
    /// The mutation is being sent, or its answer was lost.
    case sending(Sent, Meanwhile)
    /// The server refused the mutation. After an edit of the row, both are sent together.
    case refused(Sent, reason: String, isEdited: Bool)
  }

  /// A mutation with its number.
  struct Sent: Equatable, Sendable {
    enum Kind: Int64, Sendable {
      case insertion = 1
      case update, deletion
    }

    let kind: Kind
    /// All values of the sent row; nil for a deletion.
    var row: Row?
    /// The positions of the sent columns: the record may have more columns now.
    let columns: [Int]
    let number: Int64
    /// The version that the mutation is based on.
    var baseVersion: String?
    /// The number of repetitions.
    var attempts: Int64 = 0
  }

  /// Events of a row while its mutation is being sent.
  struct Meanwhile: Equatable, Sendable {
    enum Basis: Int64, Sendable {
      /// The base is the one of the sent mutation.
      case asSent = 0
      /// A pull merged another base.
      case changed = 1
      /// A server without versions repeated the base: another device may have restored it.
      case toldAgain = 2
    }

    var basis = Basis.asSent
    /// Whether the app has changed the row.
    var isEdited = false
    /// A pulled change that waits for the answer.
    var held: SyncChange?
    /// The reason of the last failure.
    var failure: String?
    /// The server acknowledged the mutation: it isn't sent again. It is settled once the running polls end, because
    /// their changes may be older.
    var acknowledgement: Acknowledgement?
  }

  /// The answer of a server that acknowledged a mutation.
  struct Acknowledgement: Equatable, Sendable {
    let version: String?
    /// The last staged change when the mutation was sent: see ``Outbox/Sending/lastStaged``.
    let lastStaged: Int64
  }
}

extension OutboxEntry {
  /// The last sent mutation, if it is known.
  var sent: Sent? {
    switch state {
    case .unsent, .returned: nil
    case .uncertain(let sent), .taken(let sent, _), .sending(let sent, _), .refused(let sent, _, _): sent
    }
  }

  var isSending: Bool { if case .sending = state { true } else { false } }

  /// Whether the server acknowledged the mutation, and only the running polls are awaited.
  var isAnswered: Bool {
    if case .sending(_, let meanwhile) = state { meanwhile.acknowledgement != nil } else { false }
  }

  /// Whether the server acknowledged the mutation, and the row was not changed locally since.
  var isTakenAsItIs: Bool {
    if case .sending(_, let meanwhile) = state { isAnswered && !meanwhile.isEdited } else { false }
  }

  /// Whether the entry can be sent in its turn.
  var isSendable: Bool {
    switch state {
    case .unsent, .uncertain, .taken: true
    case .sending, .returned: false
    case .refused(_, _, let isEdited): isEdited
    }
  }

  /// Whether it is unknown if the server has the row. The next pull shows that.
  var isUncertain: Bool {
    switch state {
    case .uncertain(let sent), .taken(let sent, _): base == nil && sent.kind == .insertion
    case .returned: true
    case .unsent, .sending, .refused: false
    }
  }

  /// Whether the server may have the mutation although the row is as before: no news of it arrived since the conflict.
  var waitsForNews: Bool { if case .uncertain = state { isUncertain || conflicts > 0 } else { isUncertain } }

  /// The server's row of this device; nil if it has none or the row no longer belongs to this device.
  var known: Row? { isDeparted ? nil : base }

  /// The mutation that the server needs, and the positions of its columns; nil if the row equals the server's.
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
  /// The values of the sent columns, by name.
  func values(_ columns: [String]) -> [String: StorageValue] {
    guard let row else { return [:] }
    return Dictionary(self.columns.map { (columns[$0], row[$0]) }) { first, _ in first }
  }

  /// The mutation for a sink. A repetition is identical.
  func mutation(_ record: SyncedRecord, key: [StorageValue], client: String) -> Mutation {
    let content: Mutation.Content =
      switch kind {
      case .insertion: .insertion(values(record.synced.columns))
      case .update: .update(values(record.synced.columns))
      case .deletion: .deletion
      }
    return Mutation(record.name, key: key, content, baseVersion: baseVersion, client: client, sequence: number)
  }

  /// The server's row after it took the mutation, as a change.
  func change(_ record: SyncedRecord, key: [StorageValue], version: String?) -> SyncChange {
    SyncChange(
      record.name, key: key, kind == .deletion ? .deletion : .row(values(record.synced.columns)), version: version)
  }
}
