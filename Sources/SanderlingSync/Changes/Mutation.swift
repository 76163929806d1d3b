public import Sanderling

/// All changes that this device made to one record since the server's last known state of it.
public struct Mutation: Sendable, Hashable {
  /// The change of the record.
  public enum Content: Sendable, Hashable {
    /// All values of a record that the server doesn't know, by the names of their columns.
    case insertion([String: StorageValue])
    /// The values of the columns that changed.
    case update([String: StorageValue])
    /// The record was deleted.
    case deletion
  }

  /// The record's name: the `named:` of its ``SyncedRecord``.
  public var record: String
  /// The values of its primary key, in the order of the key's columns.
  public var key: [StorageValue]
  /// The change of the record, with all its values.
  public var content: Content
  /// The version that the mutation is based on, if the server has versions.
  public var baseVersion: String?
  /// The random name of the database that made the mutation. It never changes.
  public var client: String
  /// The number of the mutation in its database.
  ///
  /// The mutation is sent again with the same number and content until the server has answered. So a server that
  /// remembers the numbers applies it once.
  public var sequence: Int64
  /// The server's own ids of the rows that this row refers to, by column, if the server writes them differently from
  /// the keys.
  var parentIDs: [String: String] = [:]

  /// Creates a mutation, for tests of a ``SyncSink``.
  public init(
    _ record: String, key: [StorageValue], _ content: Content, baseVersion: String? = nil, client: String,
    sequence: Int64
  ) {
    self.record = record
    self.key = key
    self.content = content
    self.baseVersion = baseVersion
    self.client = client
    self.sequence = sequence
  }
}

/// A server's answer to a mutation.
public enum MutationOutcome: Sendable, Hashable {
  /// The server has applied the mutation, now or before. The version is the server's version of the record with it.
  case acknowledged(version: String? = nil)
  /// The server's record differs from the mutation's base. The mutation is sent again after the record was pulled.
  case conflict
  /// A conflict with a reason. If the mutation is in conflict again after everything at the source was pulled, it is
  /// refused for this reason.
  case conflicting(String)
  /// The server refuses the mutation for good, for this reason. The mutation is quarantined; other mutations continue.
  case refused(String)
  /// The outcome is unknown: the mutation is sent again, at the earliest after the time that the server asks for.
  case failed(String, retryAfter: Duration? = nil)
}

extension MutationOutcome {
  var isFailed: Bool { if case .failed = self { true } else { false } }
  var isAcknowledged: Bool { if case .acknowledged = self { true } else { false } }
  var isConflict: Bool {
    switch self {
    case .conflict, .conflicting: true
    case .acknowledged, .refused, .failed: false
    }
  }
}

/// A place that receives the changes of this device: a server.
public protocol SyncSink: Sendable {
  /// Whether the server recognises mutations by their client and number and applies each once, however often it is
  /// sent. `false` by default: a mutation whose answer was lost may then be in conflict with itself.
  var knowsNumbers: Bool { get }

  /// The greatest number of mutations for one call of ``send(_:)``. The server's answers are stored when `send`
  /// returns. So a sink that needs several requests should accept only as many mutations as one request holds. No limit
  /// by default.
  var batchLimit: Int { get }

  /// Sends mutations in their order.
  ///
  /// - Returns: The outcome of each mutation, in the same order. Mutations without an outcome at the end have failed.
  /// - Throws: The error that prevented sending; each mutation may have arrived all the same, and is sent again.
  func send(_ mutations: [Mutation]) async throws -> [MutationOutcome]
}

extension SyncSink {
  public var knowsNumbers: Bool { false }
  public var batchLimit: Int { .max }
}
