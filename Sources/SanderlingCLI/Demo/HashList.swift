import Foundation

/// Hashes of commits in one array of bytes: a million take 20 MB.
struct HashList: Sendable {
  private var bytes: [UInt8] = []
  private(set) var count = 0

  mutating func append(_ hash: Data) {
    bytes.append(contentsOf: hash)
    count += 1
  }

  /// The hashes as lines of hexadecimal digits, 500 lines at a time.
  var lines: some Sequence<[UInt8]> & Sendable {
    let width = count == 0 ? 1 : bytes.count / count
    let bytes = bytes
    return stride(from: 0, to: bytes.count, by: width * 500).lazy.map { @Sendable start in
      stride(from: start, to: min(start + width * 500, bytes.count), by: width).flatMap { hash in
        bytes[hash..<(hash + width)].hexadecimalText.utf8 + [UInt8(ascii: "\n")]
      }
    }
  }
}
