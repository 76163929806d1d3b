/// What a window knows of a row beside its element: its identity, its version and what it is sorted by.
///
/// The values are encoded as captured ones are: those of the key, those that the row is sorted by before its key, and the counts and
/// sums that are followed, if they are known.
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

  /// - Parameter sortValues: What the row is sorted by before its key.
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

/// A row's encoded values where they lie.
struct StampEncoding {
  let key: UnsafeRawBufferPointer
  /// What the row is sorted by before its key, and after that its counts and sums.
  let sortValues: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer, keySize: Int) {
    key = UnsafeRawBufferPointer(rebasing: bytes[..<keySize])
    sortValues = UnsafeRawBufferPointer(rebasing: bytes[keySize...])
  }

  /// What the row is sorted by, the values of its key at the end.
  ///
  /// - Parameter count: How many values it is sorted by before its key.
  func sortKey(_ count: Int) -> [StorageValue] {
    var decoder = ValueDecoder(sortValues)
    var values: [StorageValue] = []
    for _ in 0..<count { values.append(decoder.next()?.value ?? .null) }
    decoder = ValueDecoder(key)
    while let value = decoder.next() { values.append(value.value) }
    return values
  }

  /// The counts and sums that come after what the row is sorted by; nil when they aren't known.
  func counts(after count: Int) -> [Int64]? {
    var decoder = ValueDecoder(sortValues)
    for _ in 0..<count { _ = decoder.next() }
    var counts: [Int64] = []
    while case .integer(let number)? = decoder.next() { counts.append(number) }
    return counts.isEmpty ? nil : counts
  }
}
