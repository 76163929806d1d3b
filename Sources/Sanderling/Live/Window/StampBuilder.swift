/// Puts stamps of rows into chunks, one row after the other.
struct StampBuilder {
  /// The rows of the chunk that is being filled. The memory serves one chunk after the other; chunks are as large as they have to be.
  private var entries: [StampChunk.Entry] = []
  private var bytes: [UInt8] = []
  /// How many of the bytes are used.
  private var used = 0
  private var chunks: [StampChunk] = []
  private(set) var count = 0
  /// How many rows the chunk takes that is filled now.
  private var capacity = StampChunks.capacity(0)

  /// Whether the chunk takes no more rows. The next row begins another.
  var isChunkFull: Bool { entries.count >= capacity || used >= StampChunks.greatestSize }

  /// Adds a row.
  ///
  /// - Parameters:
  ///    - size: The greatest number of bytes.
  ///    - key: Writes the values of the key.
  ///    - rest: Writes the values after the key.
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

  /// - Parameter size: How many bytes are written at most.
  /// - Returns: Where the key ends and the row, and the key's hash.
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

  /// All rows that were added.
  mutating func finish() -> StampChunks {
    closeChunk()
    return StampChunks(chunks)
  }
}

extension Array {
  /// The first elements in storage of exactly that size.
  fileprivate func copy(_ count: Int) -> [Element] {
    Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = buffer.initialize(fromContentsOf: self[..<count])
    }
  }
}
