public import Sanderling

/// The way in which local changes of a record are merged with those of other authors.
///
/// A column that one side changed isn't in conflict: it gets that side's value without a policy. Lost values, rows and
/// deletions are in the conflict log, see ``ConflictLog``.
///
/// ```swift
/// SyncedRecord(Note.self, conflicts: .merge.merging(\Note.Fields.visits, .counter).deletions(.deletionWins))
/// ```
public struct ConflictPolicy: Sendable {
  /// Merges by column. If both sides changed a column to different values, the local value stays.
  public static let merge = ConflictPolicy(rule: .columns)
  /// The server's record wins if both sides changed it.
  public static let serverWins = ConflictPolicy(rule: .server)
  /// The local record stays if both sides changed it.
  public static let clientWins = ConflictPolicy(rule: .local)

  /// The side with the greater value in a column wins; the server wins if the values are equal. NULL is less than all
  /// other values.
  ///
  /// The column holds a time or a number that grows with each change. The clocks of devices differ, so a time from the
  /// server is better.
  ///
  /// ```swift
  /// SyncedRecord(Note.self, conflicts: .newest(by: \Note.Fields.updatedAt))
  /// ```
  ///
  /// - Parameter property: A stored property of the record. For a property of another record, ``SyncSession`` throws
  ///   ``SyncError/invalidRecords(_:)``.
  public static func newest<Fields: _RecordFields>(by property: PartialKeyPath<Fields>) -> ConflictPolicy {
    let (column, table) = RecordColumn.at(property)
    var policy = ConflictPolicy(rule: .newest(column.name))
    policy.tables = [table.name]
    return policy
  }

  /// A function decides if both sides changed the record. It runs on the writer, in the transaction of the pull, and
  /// should be quick.
  public static func custom(
    _ resolve: @escaping @Sendable (RecordConflict) throws -> ConflictResolution
  ) -> ConflictPolicy {
    ConflictPolicy(rule: .custom(resolve))
  }

  enum Rule: Sendable {
    case columns, server, local
    case newest(String)
    case custom(@Sendable (RecordConflict) throws -> ConflictResolution)
  }

  let rule: Rule
  private(set) var merges: [String: ColumnMerge] = [:]
  private(set) var deletion = DeletionPolicy.changeWins
  /// The tables whose columns the policy names.
  private(set) var tables: Set<String> = []

  private init(rule: Rule) {
    self.rule = rule
  }

  /// Returns the policy with a merge for one column, which precedes the rule for the record. Use it for counters and
  /// sets.
  ///
  /// - Parameter property: A stored property of the record. For a property of another record, ``SyncSession`` throws
  ///   ``SyncError/invalidRecords(_:)``.
  public func merging<Fields: _RecordFields>(
    _ property: PartialKeyPath<Fields>, _ merge: ColumnMerge
  ) -> ConflictPolicy {
    let (column, table) = RecordColumn.at(property)
    var policy = self
    policy.merges[column.name] = merge
    policy.tables.insert(table.name)
    return policy
  }

  /// Returns the policy with another policy for a record that one side deleted and the other side changed.
  public func deletions(_ deletion: DeletionPolicy) -> ConflictPolicy {
    var policy = self
    policy.deletion = deletion
    return policy
  }

  /// The local change stays. This includes local deletions, and local changes of rows that the server deleted.
  static let localWins = ConflictPolicy.clientWins.deletions(.clientWins)

  /// The policy while a change is being sent and it is unknown whether the server has it. The change stays visible, so
  /// that it is never undone and redone.
  var whileSending: ConflictPolicy {
    var policy = ConflictPolicy(rule: .columns).deletions(.clientWins)
    policy.merges = merges
    return policy
  }

  /// The policy after the server didn't apply the change: columns with their own merge are merged already.
  var afterSending: ConflictPolicy {
    var policy = self
    policy.merges = merges.mapValues { _ in ColumnMerge { _, local, _ in local } }
    return policy
  }

  /// The policy without merges of single columns, which need a base.
  var withoutMerges: ConflictPolicy {
    var policy = self
    policy.merges = [:]
    return policy
  }

  /// Whether the policy decides column by column.
  var isOfColumns: Bool { if case .columns = rule { true } else { false } }

  /// Whether the policy decides about rows that both sides changed, and may discard local changes.
  var isOfRows: Bool {
    switch rule {
    case .columns, .local: false
    case .server, .newest, .custom: true
    }
  }
}

/// The policy for a record that one side deleted and the other side changed.
public enum DeletionPolicy: Sendable, Hashable {
  /// The record stays, or is restored, with the changes.
  case changeWins
  /// The record is deleted, and its changes are in the conflict log.
  case deletionWins
  /// This device's deletion or change wins.
  case clientWins
  /// The server's deletion or change wins.
  case serverWins
}

/// A record that was changed on this device and by another author, for a function that decides.
///
/// Rows are the stored values by the names of their columns.
public struct RecordConflict: Sendable, Hashable {
  /// The record's name: the `named:` of its ``SyncedRecord``.
  public let record: String
  /// The values of the record's primary key, in the order of the key's columns.
  public let key: [StorageValue]
  /// The server's row when the local changes began; nil if both sides created the record.
  public let base: [String: StorageValue]?
  /// This device's row.
  public let local: [String: StorageValue]
  /// The server's row.
  public let theirs: [String: StorageValue]
}

/// A function's decision about a conflict.
public enum ConflictResolution: Sendable, Hashable {
  /// The record has these values. Columns that are left out are merged by column. Columns of the key are ignored.
  case row([String: StorageValue])
  /// The record is deleted.
  case deletion
}
