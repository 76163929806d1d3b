import Foundation

/// The stamps of adjacent rows, in two arrays: the entries, and the encoded values of all rows.
struct StampChunk: Sendable {
  struct Entry: Sendable {
    fileprivate(set) var version: UInt64
    let hash: UInt32
    /// The end of the key's bytes.
    var keyEnd: UInt32
    /// The end of the row's bytes.
    var end: UInt32
  }

  private(set) var entries: [Entry]
  private var bytes: [UInt8]

  init(entries: [Entry], bytes: [UInt8]) {
    self.entries = entries
    self.bytes = bytes
  }

  init(_ stamp: RowStamp) {
    entries = [Entry(stamp, start: 0)]
    bytes = stamp.bytes
  }

  var count: Int { entries.count }

  /// The number of bytes of the encoded values.
  var size: Int { bytes.count }

  /// The identity of the chunk's storage among all chunks that exist at the same time.
  var identity: UInt { entries.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }

  func version(_ offset: Int) -> UInt64 { entries[offset].version }

  func withEncoding<Result>(_ offset: Int, _ body: (StampEncoding) -> Result) -> Result {
    let start = start(offset)
    return bytes.withUnsafeBytes {
      body(
        StampEncoding(
          UnsafeRawBufferPointer(rebasing: $0[start..<Int(entries[offset].end)]),
          keySize: Int(entries[offset].keyEnd) - start))
    }
  }

  func stamp(_ offset: Int) -> RowStamp {
    let entry = entries[offset]
    let start = start(offset)
    return RowStamp(
      bytes: Array(bytes[start..<Int(entry.end)]), keySize: Int(entry.keyEnd) - start, hash: entry.hash,
      version: entry.version)
  }

  func key(_ offset: Int) -> RowKey {
    withEncoding(offset) { RowKey(reading: $0.key) }
  }

  private func start(_ offset: Int) -> Int { offset == 0 ? 0 : Int(entries[offset - 1].end) }
}

// MARK: - Search

extension StampChunk {
  /// The offset of the row with a key. O(rows of the chunk).
  func offset(ofKey key: UnsafeRawBufferPointer, hash: UInt32) -> Int? {
    entries.withUnsafeBufferPointer { entries in
      for offset in entries.indices where entries[offset].hash == hash {
        if withEncoding(offset, { $0.key.hasSameBytes(as: key) }) { return offset }
      }
      return nil
    }
  }

  /// Whether all encoded values of a row equal those of a stamp.
  func hasSameBytes(_ offset: Int, as stamp: RowStamp) -> Bool {
    bytes.withUnsafeBytes { bytes in
      stamp.bytes.withUnsafeBytes {
        UnsafeRawBufferPointer(rebasing: bytes[start(offset)..<Int(entries[offset].end)]).hasSameBytes(as: $0)
      }
    }
  }

  /// Whether a row has the key of another chunk's row.
  func hasSameKey(_ offset: Int, as other: StampChunk, _ otherOffset: Int) -> Bool {
    entries[offset].hash == other.entries[otherOffset].hash
      && withEncoding(offset) { one in
        other.withEncoding(otherOffset) { one.key.hasSameBytes(as: $0.key) }
      }
  }
}

// MARK: - Changes

extension StampChunk {
  /// Makes the versions depend on further numbers, one for each row.
  mutating func combineVersions(_ fingerprints: [UInt64]) {
    for (offset, fingerprint) in fingerprints.enumerated() {
      entries[offset].version = RowHash.combining(entries[offset].version, fingerprint)
    }
  }

  mutating func insert(_ stamp: RowStamp, at offset: Int) {
    let start = start(offset)
    entries.insert(Entry(stamp, start: start), at: offset)
    bytes.replaceSubrange(start..<start, with: stamp.bytes)
    shift(from: offset + 1, by: stamp.bytes.count)
  }

  mutating func remove(at offset: Int) {
    let range = start(offset)..<Int(entries[offset].end)
    entries.remove(at: offset)
    bytes.removeSubrange(range)
    shift(from: offset, by: -range.count)
  }

  mutating func replace(at offset: Int, with stamp: RowStamp) {
    let range = start(offset)..<Int(entries[offset].end)
    entries[offset] = Entry(stamp, start: range.lowerBound)
    bytes.replaceSubrange(range, with: stamp.bytes)
    if stamp.bytes.count != range.count { shift(from: offset + 1, by: stamp.bytes.count - range.count) }
  }

  /// Appends the rows of another chunk.
  mutating func append(_ other: StampChunk) {
    let first = entries.count
    let start = bytes.count
    entries += other.entries
    bytes += other.bytes
    shift(from: first, by: start)
  }

  /// Some of the rows, with storage of their own.
  func part(_ range: Range<Int>) -> StampChunk {
    let start = start(range.lowerBound)
    var part = StampChunk(
      entries: Array(entries[range]), bytes: Array(bytes[start..<self.start(range.upperBound)]))
    part.shift(from: 0, by: -start)
    return part
  }

  private mutating func shift(from first: Int, by distance: Int) {
    if distance == 0 { return }
    for offset in first..<entries.count {
      entries[offset].keyEnd = UInt32(Int(entries[offset].keyEnd) + distance)
      entries[offset].end = UInt32(Int(entries[offset].end) + distance)
    }
  }
}

extension StampChunk.Entry {
  fileprivate init(_ stamp: RowStamp, start: Int) {
    self.init(
      version: stamp.version, hash: stamp.hash, keyEnd: UInt32(start + stamp.keySize),
      end: UInt32(start + stamp.bytes.count))
  }
}

extension UnsafeRawBufferPointer {
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}
