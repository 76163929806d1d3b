/// The identity, version and sort key of a row in a window, without its element.
///
/// The values are encoded as captured ones: the key, the values by which the row is sorted before its key, and the
/// followed counts and sums if they are known.
struct RowStamp: Sendable {
  let bytes: [UInt8]
  /// How many of the bytes are the key's.
  let keySize: Int
  /// That of the key.
  let hash: UInt32
  /// Differs when the row's element does.
  private(set) var version: UInt64

  init(bytes: [UInt8], keySize: Int, hash: UInt32, version: UInt64) {
    self.bytes = bytes
    self.keySize = keySize
    self.hash = hash
    self.version = version
  }

  /// - Parameter sortValues: The values by which the row is sorted before its key.
  init(key: RowKey, sortValues: [StorageValue] = [], version: UInt64) {
    let (keyBytes, hash) = key.withEncoding { (Array($0), RowKey.hash(ofEncoding: $0)) }
    let bytes = sortValues.isEmpty ? keyBytes : sortValues.withEncoding { keyBytes + Array($0) }
    self.init(bytes: bytes, keySize: keyBytes.count, hash: hash, version: version)
  }

  /// Makes the version differ where a number does.
  mutating func combineVersion(_ fingerprint: UInt64) {
    version = RowHash.combining(version, fingerprint)
  }

  func withEncoding<Result>(_ body: (StampEncoding) -> Result) -> Result {
    bytes.withUnsafeBytes { body(StampEncoding($0, keySize: keySize)) }
  }
}

/// The encoded values of a row, without a copy.
struct StampEncoding {
  let key: UnsafeRawBufferPointer
  /// The values by which the row is sorted before its key, followed by its counts and sums.
  let sortValues: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer, keySize: Int) {
    key = UnsafeRawBufferPointer(rebasing: bytes[..<keySize])
    sortValues = UnsafeRawBufferPointer(rebasing: bytes[keySize...])
  }

  /// The sort key of the row, which ends with the values of its key.
  ///
  /// - Parameter count: The number of values by which the row is sorted before its key.
  func sortKey(_ count: Int) -> [StorageValue] {
    var decoder = ValueDecoder(sortValues)
    var values: [StorageValue] = []
    for _ in 0..<count { values.append(decoder.next()?.value ?? .null) }
    decoder = ValueDecoder(key)
    while let value = decoder.next() { values.append(value.value) }
    return values
  }

  /// The counts and sums after the sort values; nil if they aren't known.
  func counts(after count: Int) -> [Int64]? {
    var decoder = ValueDecoder(sortValues)
    for _ in 0..<count { _ = decoder.next() }
    var counts: [Int64] = []
    while case .integer(let number)? = decoder.next() { counts.append(number) }
    return counts.isEmpty ? nil : counts
  }
}
