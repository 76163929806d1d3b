/// Folds a text in one pass. A value type, so that the compiler knows that no other code reads the fold meanwhile.
///
/// The owner frees the memory with ``deallocate()``. A copy shares the memory, so only one copy is used.
struct FoldPass {
  /// The fold. It always has room for the rest of the input and for one more mapping.
  private(set) var output: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0
  /// A starter and the scalars after it, from the first scalar that composes with the starter or stays as its mark.
  private var cluster = FoldCluster()
  private var hasCluster = false

  /// The spare room, in bytes. No scalar folds to as many: U+FDFA folds to 33 bytes, the most.
  private static let margin = 64

  init() {
    capacity = 1024
    output = .allocate(capacity: capacity)
  }

  func deallocate() {
    output.deallocate()
  }

  /// Folds a text and reports the origin of each part of the fold to the recorder.
  @inline(__always)
  mutating func fold<Recorder: FoldRecorder>(_ bytes: UnsafeBufferPointer<UInt8>, _ recorder: inout Recorder) {
    count = 0
    guard let input = bytes.baseAddress, !bytes.isEmpty else { return }
    FoldTables.withPointers { run(input, end: bytes.count, $0, &recorder) }
  }

  @inline(__always)
  private mutating func run<Recorder: FoldRecorder>(
    _ input: UnsafePointer<UInt8>, end: Int, _ tables: FoldTablePointers, _ recorder: inout Recorder
  ) {
    var index = 0
    reserve(end + Self.margin)
    while index < end {
      if input[index] < 0x80 {
        if hasCluster { endCluster(before: end - index) }
        recorder.asciiRun(source: index, folded: count)
        foldASCII(input, &index, end: end)
        continue
      }
      let start = index
      let scalar = UTF8Scalars.next(input, &index, end: end)
      let entry = tables[scalar]
      // Nearly all scalars stay or become whole letters.
      switch entry.kind {
      case .starter, .bareLetter:
        if hasCluster { endCluster(before: end - index) }
        recorder.scalar(scalar, entry, source: start, folded: count)
        // U+FFFD may replace fewer or more bytes than its own three.
        if scalar == 0xFFFD {
          count += UTF8Scalars.write(scalar, to: output + count)
        } else {
          copy(input + start, index - start)
        }
      case .text:
        if hasCluster { endCluster(before: end - index) }
        recorder.scalar(scalar, entry, source: start, folded: count)
        let text = tables.text(entry.mapping)
        // The addresses of texts are never nil: they point into the tables.
        copy(text.baseAddress.unsafelyUnwrapped, text.count)
      case .removed:
        recorder.removed(scalar)
      case .looseMark:
        mark(scalar, entry, tables, &recorder)
      case .composing:
        compose(scalar, entry, tables, &recorder)
      case .scalars:
        let text = tables.text(entry.mapping)
        let address = text.baseAddress.unsafelyUnwrapped
        var position = 0
        while position < text.count {
          let part = UTF8Scalars.next(address, &position, end: text.count)
          let partEntry = tables[part]
          switch partEntry.kind {
          case .looseMark: mark(part, partEntry, tables, &recorder)
          case .composing: compose(part, partEntry, tables, &recorder)
          default:
            if hasCluster { endCluster(before: end - index) }
            recorder.scalar(scalar, partEntry, source: start, folded: count)
            count += UTF8Scalars.write(part, to: output + count)
          }
        }
      }
      if count + (end - index) + Self.margin > capacity { reserve(count + (end - index) + Self.margin) }
    }
    if hasCluster { endCluster(before: end - index) }
  }

  /// Folds the ASCII bytes from an index on, eight at a time.
  @inline(__always)
  private mutating func foldASCII(_ input: UnsafePointer<UInt8>, _ index: inout Int, end: Int) {
    var from = input + index
    var to = output + count
    let last = input + end
    while last - from >= 8 {
      let bytes = UnsafeRawPointer(from).loadUnaligned(as: UInt64.self)
      guard bytes & 0x8080_8080_8080_8080 == 0 else { break }
      // The high bit of each byte that is at least A, without the bytes after Z.
      let letters =
        (bytes &+ 0x3F3F_3F3F_3F3F_3F3F) & ~(bytes &+ 0x2525_2525_2525_2525) & 0x8080_8080_8080_8080
      UnsafeMutableRawPointer(to).storeBytes(of: bytes | letters >> 2, as: UInt64.self)
      from += 8
      to += 8
    }
    while from < last, from.pointee < 0x80 {
      let byte = from.pointee
      to.pointee = byte &- 0x41 < 26 ? byte | 0x20 : byte
      from += 1
      to += 1
    }
    index = from - input
    count = to - output
  }

  @inline(__always)
  private mutating func copy(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
    // Texts mostly have two or three bytes, for which a call takes longer than the copy. The margin has room for them.
    var index = 0
    while index < length {
      output[count + index] = bytes[index]
      index += 1
    }
    count += length
  }

  /// Handles a mark that letters of some scripts lose. Such a letter drops it, except that и with a breve becomes й.
  @inline(never)
  private mutating func mark<Recorder: FoldRecorder>(
    _ scalar: UInt32, _ entry: FoldEntry, _ tables: FoldTablePointers, _ recorder: inout Recorder
  ) {
    if !hasCluster, count > 0 {
      var start = UTF8Scalars.start(of: output, before: count)
      let written = start
      let last = UTF8Scalars.next(output, &start, end: count)
      if tables[last].kind == .bareLetter {
        if scalar == FoldCluster.breve, last == FoldCluster.cyrillicI {
          count = written + UTF8Scalars.write(FoldCluster.cyrillicShortI, to: output + written)
        }
        return
      }
    }
    compose(scalar, entry, tables, &recorder)
  }

  /// Handles a mark that stays, or the second part of a composition. The scalar and its starter wait for the next
  /// scalar.
  @inline(never)
  private mutating func compose<Recorder: FoldRecorder>(
    _ scalar: UInt32, _ entry: FoldEntry, _ tables: FoldTablePointers, _ recorder: inout Recorder
  ) {
    if !hasCluster, count > 0 {
      let start = UTF8Scalars.start(of: output, before: count)
      var position = start
      let starter = UTF8Scalars.next(output, &position, end: count)
      count = start
      recorder.takenBack(to: start)
      // A syllable composed of jamo needs no cluster: following scalars compose with the composed syllable.
      if let syllable = Hangul.composite(starter, scalar) {
        count += UTF8Scalars.write(syllable, to: output + count)
        return
      }
      cluster.begin(starter, tables)
    }
    hasCluster = true
    cluster.append(scalar, entry)
  }

  /// Orders, composes and writes the cluster.
  ///
  /// - Parameter left: The number of bytes of the input that are still to be folded.
  @inline(never)
  private mutating func endCluster(before left: Int) {
    cluster.end()
    reserve(count + cluster.scalars.count * 4 + left + Self.margin)
    for (scalar, _) in cluster.scalars { count += UTF8Scalars.write(scalar, to: output + count) }
    cluster.removeAll()
    hasCluster = false
  }

  /// Makes room for a number of bytes. Grows by half at least, so that folding stays linear.
  private mutating func reserve(_ needed: Int) {
    guard needed > capacity else { return }
    let larger = max(needed, capacity + capacity / 2)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    memory.update(from: output, count: count)
    output.deallocate()
    output = memory
    capacity = larger
  }
}
