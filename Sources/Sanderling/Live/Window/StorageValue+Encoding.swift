import Foundation

extension StorageValue {
  /// The most bytes of the encoded value.
  var encodedSize: Int {
    switch self {
    case .null, .integer, .real: ValueTag.greatestFixedSize
    case .text(let text): ValueTag.greatestFixedSize + text.utf8.count
    case .blob(let data): ValueTag.greatestFixedSize + data.count
    }
  }

  func encode(to encoder: inout ValueEncoder) {
    switch self {
    case .null: encoder.appendNull()
    case .integer(let integer): encoder.append(integer)
    case .real(let real): encoder.append(real)
    case .text(var text):
      text.withUTF8 { encoder.append(text: UnsafeRawPointer($0.baseAddress), count: $0.count) }
    case .blob(let data):
      data.withUnsafeBytes { encoder.append(blob: $0.baseAddress, count: $0.count) }
    }
  }
}

extension [StorageValue] {
  /// Calls `body` with the encoded values, which are valid only during the call.
  func withEncoding<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let size = Swift.max(1, reduce(0) { $0 + $1.encodedSize })
    return try withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
      guard let start = buffer.baseAddress else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
      var encoder = ValueEncoder(start)
      for value in self { value.encode(to: &encoder) }
      return try body(UnsafeRawBufferPointer(start: start, count: encoder.end - start))
    }
  }
}
