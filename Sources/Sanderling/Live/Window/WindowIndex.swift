/// Finds the chunk of a window's row by the hash of its key.
///
/// A hash table with [linear probing](https://en.wikipedia.org/wiki/Linear_probing), of eight bytes for each place: the
/// hash, and the number of a chunk. The number stays with the chunk while others come and go before it. Small windows
/// have no index. Windows that are sorted by their key alone have none either, since a binary search finds the key.
struct WindowIndex: Sendable {
  /// The least rows of a window with an index.
  static let leastCount = 256

  private static let free = UInt64.max

  /// The slots, a power of two of them.
  private var table: [UInt64]
  private var count: Int
  /// The numbers of the chunks, in the chunks' order.
  private var numbers: [UInt32]
  /// The place of each number's chunk.
  private var places: [UInt32]
  private var freeNumbers: [UInt32] = []

  /// Indexes all rows. O(rows).
  init(_ chunks: FewElements<StampChunk>, rowCount: Int) {
    numbers = Array(0..<UInt32(chunks.count))
    places = numbers
    // With room for some more rows.
    table = Self.table(for: rowCount + rowCount / 8)
    count = rowCount
    for (number, chunk) in chunks.enumerated() {
      insert(chunk.entries, UInt32(number))
    }
  }

  /// The first result of `find` that isn't nil, for the chunks that may contain a row with this hash.
  func first<Result>(_ hash: UInt32, where find: (_ chunk: Int) -> Result?) -> Result? {
    var place = home(hash)
    while table[place] != Self.free {
      if UInt32(truncatingIfNeeded: table[place] >> 32) == hash,
        let result = find(Int(places[Int(UInt32(truncatingIfNeeded: table[place]))]))
      {
        return result
      }
      place = (place + 1) & (table.count - 1)
    }
    return nil
  }

  private func home(_ hash: UInt32) -> Int {
    Int(hash >> UInt32(32 - min(32, table.count.trailingZeroBitCount)))
  }

  private static func slot(_ hash: UInt32, _ number: UInt32) -> UInt64 { UInt64(hash) << 32 | UInt64(number) }

  /// A table for a number of rows, with at least a fifth of the places free.
  private static func table(for count: Int) -> [UInt64] {
    var size = 64
    while size * 4 / 5 < count { size *= 2 }
    return Array(repeating: free, count: size)
  }
}

// MARK: - Rows

extension WindowIndex {
  private mutating func insert(_ hash: UInt32, _ chunk: Int) {
    if (count + 1) * 5 > table.count * 4 { grow() }
    insert(slot: Self.slot(hash, numbers[chunk]))
    count += 1
  }

  /// Inserts rows for which there is room.
  private mutating func insert(_ entries: [StampChunk.Entry], _ number: UInt32) {
    let (mask, shift) = (table.count - 1, UInt32(32 - min(32, table.count.trailingZeroBitCount)))
    table.withUnsafeMutableBufferPointer { table in
      for entry in entries {
        var place = Int(entry.hash >> shift)
        while table[place] != Self.free { place = (place + 1) & mask }
        table[place] = Self.slot(entry.hash, number)
      }
    }
  }

  private mutating func insert(slot: UInt64) {
    var place = home(UInt32(truncatingIfNeeded: slot >> 32))
    while table[place] != Self.free { place = (place + 1) & (table.count - 1) }
    table[place] = slot
  }

  private mutating func grow() {
    let slots = table
    table = Array(repeating: Self.free, count: slots.count * 2)
    for slot in slots where slot != Self.free { insert(slot: slot) }
  }

  private mutating func remove(_ hash: UInt32, number: UInt32) {
    var free = place(of: Self.slot(hash, number))
    count -= 1
    // Later slots whose home is at or before the free place move up, so that no search ends too early.
    var place = free
    while true {
      place = (place + 1) & (table.count - 1)
      if table[place] == Self.free { break }
      let home = home(UInt32(truncatingIfNeeded: table[place] >> 32))
      if (place - home) & (table.count - 1) >= (place - free) & (table.count - 1) {
        table[free] = table[place]
        free = place
      }
    }
    table[free] = Self.free
  }

  /// - Precondition: The slot is in the table.
  private func place(of slot: UInt64) -> Int {
    var place = home(UInt32(truncatingIfNeeded: slot >> 32))
    while table[place] != slot {
      precondition(table[place] != Self.free, "every row of an indexed window is in its index")
      place = (place + 1) & (table.count - 1)
    }
    return place
  }

  private mutating func move(_ entries: ArraySlice<StampChunk.Entry>, from number: UInt32, to other: UInt32) {
    for entry in entries {
      let place = place(of: Self.slot(entry.hash, number))
      table[place] = Self.slot(entry.hash, other)
    }
  }
}

// MARK: - Changes of the window

extension WindowIndex {
  /// Follows the insertion of a row.
  ///
  /// - Parameter chunks: The chunks with the row.
  mutating func follow(_ insertion: StampChunks.Insertion, _ chunks: FewElements<StampChunk>) {
    if let split = insertion.split {
      addChunk(at: split.chunk + 1)
      var moved = chunks[split.chunk + 1].entries[...]
      if insertion.chunk == split.chunk + 1 {
        moved = moved[..<insertion.offset] + moved[(insertion.offset + 1)...]
      }
      move(moved, from: numbers[split.chunk], to: numbers[split.chunk + 1])
    }
    if insertion.isNewChunk { addChunk(at: insertion.chunk) }
    insert(chunks[insertion.chunk].entries[insertion.offset].hash, insertion.chunk)
  }

  /// Follows the removal of a row.
  ///
  /// - Parameter chunks: The chunks without the row.
  mutating func follow(_ removal: StampChunks.Removal, _ chunks: FewElements<StampChunk>) {
    remove(removal.hash, number: numbers[removal.chunk])
    if removal.removesChunk { removeChunk(at: removal.chunk) }
    if let join = removal.join {
      move(chunks[join.chunk].entries.suffix(join.count), from: numbers[join.chunk + 1], to: numbers[join.chunk])
      removeChunk(at: join.chunk + 1)
    }
  }

  /// Follows the appending of rows.
  ///
  /// - Parameters:
  ///   - chunks: The chunks with the rows.
  ///   - oldCount: The number of chunks before.
  ///   - joined: The number of rows that were joined to the last of these.
  mutating func follow(appended chunks: FewElements<StampChunk>, after oldCount: Int, joined: Int) {
    for chunk in max(0, oldCount - 1)..<chunks.count {
      if chunk >= oldCount { addChunk(at: chunk) }
      let added = chunk < oldCount ? chunks[chunk].entries.suffix(joined) : chunks[chunk].entries[...]
      for entry in added { insert(entry.hash, chunk) }
    }
  }

  /// Prepares the removal of rows from the end. O(removed rows).
  mutating func willRemoveLast(_ removed: Int, _ chunks: FewElements<StampChunk>) {
    var remaining = removed
    var last = chunks.count - 1
    while remaining > 0 {
      let dropped = chunks[last].entries.suffix(remaining)
      for entry in dropped { remove(entry.hash, number: numbers[last]) }
      if dropped.count == chunks[last].count { removeChunk(at: last) }
      remaining -= dropped.count
      last -= 1
    }
  }

  /// Adds a chunk. O(chunks).
  private mutating func addChunk(at place: Int) {
    let number = freeNumbers.popLast() ?? UInt32(places.count)
    if number == places.count { places.append(0) }
    numbers.insert(number, at: place)
    updatePlaces(from: place)
  }

  /// Removes a chunk. O(chunks).
  private mutating func removeChunk(at place: Int) {
    freeNumbers.append(numbers.remove(at: place))
    updatePlaces(from: place)
  }

  private mutating func updatePlaces(from first: Int) {
    for place in first..<numbers.count { places[Int(numbers[place])] = UInt32(place) }
  }
}
