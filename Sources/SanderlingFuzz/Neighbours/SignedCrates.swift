import Foundation
import Sanderling

/// The rows that one process inserts into `crate`. Their keys name the process, so that a history's author can be checked.
///
/// No other statement of the fuzzer inserts such a key. Exception: a transaction that is undone, which no process with
/// neighbours runs.
struct SignedCrates {
  private static let letter: UInt8 = 0x57

  let process: Int
  private var count = 0

  init(process: Int) {
    self.process = process
  }

  /// A statement that inserts the next row. The app's constraints and triggers may refuse the row.
  mutating func insertion() -> String {
    count += 1
    let key = StorageValue.blob(Data(String(format: "W%07d%08d", process, count).utf8)).literal
    return "INSERT INTO crate (id, label, code, size, weight, isSealed) "
      + "VALUES (\(key), 'signed \(process)', 'code \(count)', \(1000 + count), 0.5, \(count % 2))"
  }

  /// The process that inserts a key; nil if the key is of another row.
  static func process(ofKey key: [StorageValue]) -> Int? {
    guard key.count == 1, case .blob(let bytes) = key[0], bytes.count == 16, bytes.first == letter else { return nil }
    return Int(String(decoding: bytes.dropFirst().prefix(7), as: UTF8.self))
  }
}
