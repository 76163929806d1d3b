import Foundation
import Sanderling

/// A stored value as the fuzzer's server and devices exchange it. Blobs aren't.
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
      // A text, since JSON's numbers tell no 1.0 from 1.
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

/// What kept a message from being exchanged.
enum WireError: Error {
  case unreachable
  case cut
  case malformed
  /// The server takes nothing now, and says when it will.
  case unavailable
}
