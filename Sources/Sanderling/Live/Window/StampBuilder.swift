/// Puts stamps of rows into chunks, one row after the other.
struct StampBuilder {
  /// The rows of the present chunk. The memory is reused for each chunk. Finished chunks have exactly the size that
  /// they need.
  private var entries: [StampChunk.Entry] = []
  private var bytes: [UInt8] = []
  /// The number of used bytes.
  private var used = 0
  private var chunks: [StampChunk] = []
  private(set) var count = 0
  /// The most rows of the present chunk.
  private var capacity = StampChunks.capacity(0)

  /// Whether the chunk is full. The next row begins another.
  var isChunkFull: Bool { entries.count >= capacity || used >= StampChunks.greatestSize }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - size: The most bytes that are written.
  ///   - key: Writes the values of the key.
  ///   - rest: Writes the values after the key.
  @inline(__always)
  mutating func appendRow(
    size: Int, version: UInt64, _ keys: RowHash.Keys, key: (inout ValueEncoder) -> Void,
    rest: (inout ValueEncoder) -> Void
  ) {
    let (keyEnd, end, hash) = write(size) { encoder in
      let keyStart = encoder.end
      key(&encoder)
      let keyEnd = encoder.end
      let hash = RowKey.hash(ofEncoding: UnsafeRawBufferPointer(start: keyStart, count: keyEnd - keyStart), keys)
      rest(&encoder)
      return (keyEnd, hash)
    }
    add(StampChunk.Entry(version: version, hash: hash, keyEnd: UInt32(keyEnd), end: UInt32(end)))
  }

  /// Adds a row whose bytes and hash are known.
  mutating func append(_ stamp: RowStamp) {
    let (keyEnd, end, hash) = write(stamp.bytes.count) { encoder in
      let keyEnd = encoder.end + stamp.keySize
      stamp.bytes.withUnsafeBytes { encoder.append(encoding: $0) }
      return (keyEnd, stamp.hash)
    }
    add(StampChunk.Entry(version: stamp.version, hash: hash, keyEnd: UInt32(keyEnd), end: UInt32(end)))
  }

  /// - Parameter size: The most bytes that are written.
  /// - Returns: The ends of the key and of the row, and the key's hash.
  @inline(__always)
  private mutating func write(
    _ size: Int, _ body: (inout ValueEncoder) -> (keyEnd: UnsafeMutableRawPointer, hash: UInt32)
  ) -> (keyEnd: Int, end: Int, hash: UInt32) {
    if isChunkFull { closeChunk() }
    if bytes.count < used + size { bytes += repeatElement(0, count: Swift.max(1_024, used + size - bytes.count)) }
    return bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return (used, used, 0) }
      var encoder = ValueEncoder(start + used)
      let (keyEnd, hash) = body(&encoder)
      return (keyEnd - start, encoder.end - start, hash)
    }
  }

  @inline(__always)
  private mutating func add(_ entry: StampChunk.Entry) {
    used = Int(entry.end)
    count += 1
    entries.append(entry)
  }

  /// Ends the chunk. The next row begins another.
  mutating func closeChunk() {
    guard !entries.isEmpty else { return }
    chunks.append(StampChunk(entries: entries.copy(entries.count), bytes: bytes.copy(used)))
    entries.removeAll(keepingCapacity: true)
    used = 0
    capacity = StampChunks.capacity(count)
  }

  /// Returns all added rows.
  mutating func finish() -> StampChunks {
    closeChunk()
    return StampChunks(chunks)
  }
}

extension Array {
  /// The first elements in storage of exactly their size.
  fileprivate func copy(_ count: Int) -> [Element] {
    Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = buffer.initialize(fromContentsOf: self[..<count])
    }
  }
}
