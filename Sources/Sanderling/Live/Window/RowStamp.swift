/// The data that a window keeps of a row beside its element: its identity, its version and its sort values.
///
/// The values are encoded like captured ones. The key's values come first, then the sort values before the key. The
/// maintained counts and sums follow, if they are known.
struct RowStamp: Sendable {
  let bytes: [UInt8]
  /// The number of the key's bytes.
  let keySize: Int
  /// The hash of the key.
  let hash: UInt32
  /// A number that changes with the row's element.
  private(set) var version: UInt64

  init(bytes: [UInt8], keySize: Int, hash: UInt32, version: UInt64) {
    self.bytes = bytes
    self.keySize = keySize
    self.hash = hash
    self.version = version
  }

  /// - Parameter sortValues: The values that the row is sorted by before its key.
  init(key: RowKey, sortValues: [StorageValue] = [], version: UInt64) {
    let (keyBytes, hash) = key.withEncoding { (Array($0), RowKey.hash(ofEncoding: $0)) }
    let bytes = sortValues.isEmpty ? keyBytes : sortValues.withEncoding { keyBytes + Array($0) }
    self.init(bytes: bytes, keySize: keyBytes.count, hash: hash, version: version)
  }

  /// Makes the version depend on a further number.
  mutating func combineVersion(_ fingerprint: UInt64) {
    version = RowHash.combining(version, fingerprint)
  }

  func withEncoding<Result>(_ body: (StampEncoding) -> Result) -> Result {
    bytes.withUnsafeBytes { body(StampEncoding($0, keySize: keySize)) }
  }
}

/// A row's encoded values, in place.
struct StampEncoding {
  let key: UnsafeRawBufferPointer
  /// The values that the row is sorted by before its key, and then its counts and sums.
  let sortValues: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer, keySize: Int) {
    key = UnsafeRawBufferPointer(rebasing: bytes[..<keySize])
    sortValues = UnsafeRawBufferPointer(rebasing: bytes[keySize...])
  }

  /// The sort key: the sort values, with the key's values at the end.
  ///
  /// - Parameter count: The number of sort values before the key.
  func sortKey(_ count: Int) -> [StorageValue] {
    var decoder = ValueDecoder(sortValues)
    var values: [StorageValue] = []
    for _ in 0..<count { values.append(decoder.next()?.value ?? .null) }
    decoder = ValueDecoder(key)
    while let value = decoder.next() { values.append(value.value) }
    return values
  }

  /// The counts and sums after the sort values; nil when they aren't known.
  func counts(after count: Int) -> [Int64]? {
    var decoder = ValueDecoder(sortValues)
    for _ in 0..<count { _ = decoder.next() }
    var counts: [Int64] = []
    while case .integer(let number)? = decoder.next() { counts.append(number) }
    return counts.isEmpty ? nil : counts
  }
}
