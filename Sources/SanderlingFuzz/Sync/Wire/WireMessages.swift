import Foundation
import Sanderling
import SanderlingSync

/// A device's request to the fuzzer's server: a pull or a push.
struct WireRequest: Codable {
  struct Pull: Codable {
    var cursor: String?
    var limit: Int
  }

  var pull: Pull?
  var push: [WireMutation]?
}

/// The server's answer.
struct WireAnswer: Codable {
  struct Batch: Codable {
    var changes: [WireChange]
    var cursor: String
    var restarts: Bool
    var hasMore: Bool
  }

  var batch: Batch?
  var outcomes: [WireOutcome]?
  /// The delay before the next attempt in milliseconds, if the server is unavailable.
  var retryAfter: Int?
}

struct WireChange: Codable {
  var record: String
  var key: String
  /// Nil if the row was deleted.
  var row: WireRow?
  var version: String?
  /// Whether a missing row is reported as a departure from the device.
  var hasDeparted = false
}

struct WireMutation: Codable, Hashable {
  enum Kind: String, Codable {
    case insertion, update, deletion
  }

  var record: String
  var key: String
  var kind: Kind
  var values: WireRow
  var baseVersion: String?
  var client: String
  var sequence: Int64
}

struct WireOutcome: Codable {
  enum Kind: String, Codable {
    case acknowledged, conflict, refused, failed
  }

  var kind: Kind
  var version: String?
  var retryAfter: Int?
}

/// Codes messages as bytes.
enum WireCoding {
  static func data(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(value)
  }

  static func value<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
    do { return try JSONDecoder().decode(type, from: data) } catch { throw WireError.malformed }
  }
}

extension WireMutation {
  init(_ mutation: Mutation) throws {
    guard case .text(let key)? = mutation.key.first, mutation.key.count == 1 else { throw WireError.malformed }
    let (kind, values): (Kind, [String: StorageValue]) =
      switch mutation.content {
      case .insertion(let row): (.insertion, row)
      case .update(let row): (.update, row)
      case .deletion: (.deletion, [:])
      }
    self.init(
      record: mutation.record, key: key, kind: kind, values: values.mapValues { WireValue($0) },
      baseVersion: mutation.baseVersion, client: mutation.client, sequence: mutation.sequence)
  }
}

extension WireChange {
  var change: SyncChange {
    SyncChange(
      record, key: [.text(key)],
      row.map { .row($0.mapValues(\.value)) } ?? (hasDeparted ? .departure : .deletion), version: version)
  }
}

extension WireOutcome {
  var outcome: MutationOutcome {
    switch kind {
    case .acknowledged: .acknowledged(version: version)
    case .conflict: .conflict
    case .refused: .refused("the server takes no such values")
    case .failed: .failed("the server failed", retryAfter: retryAfter.map { .milliseconds($0) })
    }
  }
}
