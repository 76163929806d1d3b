import Sanderling
import SanderlingSync

/// A stored value as the fuzzer's server and devices exchange it: a text of JSON, as the synchronisation stores it.
struct WireValue: Codable, Hashable {
  let value: StorageValue

  init(_ value: StorageValue) {
    self.value = value
  }

  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let value = try? StoredJSON.value(text) else { throw WireError.malformed }
    self.value = value
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(StoredJSON.text(value))
  }
}

typealias WireRow = [String: WireValue]

/// The reason why a message could not be exchanged.
enum WireError: Error {
  case unreachable
  case cut
  case malformed
  /// The server is unavailable, and names the time of the next attempt.
  case unavailable
}
