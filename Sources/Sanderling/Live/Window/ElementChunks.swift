/// The elements of a list, in the same chunks as its stamps. Copies share their chunks.
///
/// No method iterates over the elements of several chunks: code that is generic over elements isn't specialized for
/// types of other modules.
struct ElementChunks<Element> {
  private(set) var chunks: FewElements<[Element]>

  init(_ chunks: [[Element]] = []) {
    self.chunks = FewElements(chunks)
  }

  subscript(range: Range<Int>) -> ElementChunks {
    range == chunks.indices ? self : ElementChunks(Array(chunks[range]))
  }

  /// Elements from a position on. O(elements).
  func array(from start: Int, count: Int) -> [Element] {
    if start == 0, chunks.count == 1, chunks[0].count == count { return chunks[0] }
    var result: [Element] = []
    result.reserveCapacity(count)
    var offset = start
    for chunk in chunks {
      result += chunk[offset..<min(chunk.count, offset + count - result.count)]
      offset = 0
    }
    return result
  }
}

// MARK: - Changes

extension ElementChunks {
  mutating func insert(_ element: Element, _ insertion: StampChunks.Insertion) {
    if let split = insertion.split {
      let whole = chunks[split.chunk]
      chunks.replaceSubrange(
        split.chunk...split.chunk, with: [Array(whole[..<split.offset]), Array(whole[split.offset...])])
    }
    if insertion.isNewChunk {
      chunks.insert([element], at: insertion.chunk)
    } else {
      chunks[insertion.chunk].insert(element, at: insertion.offset)
    }
  }

  mutating func remove(_ removal: StampChunks.Removal) {
    if removal.removesChunk {
      chunks.remove(at: removal.chunk)
    } else {
      chunks[removal.chunk].remove(at: removal.offset)
    }
    if let join = removal.join {
      let second = chunks.remove(at: join.chunk + 1)
      chunks[join.chunk] += second
    }
  }

  mutating func replace(_ place: (chunk: Int, offset: Int), with element: Element) {
    chunks[place.chunk][place.offset] = element
  }

  /// - Parameter joins: Whether the first chunk of `other` is joined to the last chunk.
  mutating func append(_ other: ElementChunks, joins: Bool) {
    if joins {
      chunks[chunks.count - 1] += other.chunks[0]
      chunks += other.chunks.dropFirst()
    } else {
      chunks += other.chunks
    }
  }

  /// Removes the last chunks and elements, whose stamps are already removed.
  ///
  /// - Parameters:
  ///   - count: The number of kept chunks.
  ///   - last: The number of kept elements in the last kept chunk.
  mutating func removeLast(keeping count: Int, last: Int) {
    chunks.removeSubrange(count...)
    if count > 0, chunks[count - 1].count > last { chunks[count - 1] = Array(chunks[count - 1][..<last]) }
  }
}

extension ElementChunks: Sendable where Element: Sendable {}
