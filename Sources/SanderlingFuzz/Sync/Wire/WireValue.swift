import Foundation
import Sanderling

/// A stored value as the fuzzer's server and devices exchange it. There are no blobs.
struct WireValue: Codable, Hashable {
  let value: StorageValue

  init(_ value: StorageValue) {
    self.value = value
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = .null
    } else if let integer = try? container.decode(Int64.self) {
      value = .integer(integer)
    } else if let text = try? container.decode(String.self) {
      value = .text(text)
    } else {
      // A text, because JSON does not distinguish 1.0 from 1.
      let real = try container.decode([String: String].self)["real"].flatMap { Double($0) }
      guard let real else { throw WireError.malformed }
      value = .real(real)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .null: try container.encodeNil()
    case .integer(let integer): try container.encode(integer)
    case .text(let text): try container.encode(text)
    case .real(let real): try container.encode(["real": "\(real)"])
    case .blob: throw WireError.malformed
    }
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
