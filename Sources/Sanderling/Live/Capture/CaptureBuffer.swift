import SanderlingSQLite

/// The captured columns of one set of triggers, which the number in their calls denotes.
struct CaptureProgram: Sendable {
  let table: RecordType
  let layout: CaptureLayout
  let keyCount: Int

  /// Whether a captured row existed.
  enum Kind: Int {
    case absent = 0
    case present = 1
  }

  /// The number of a program and a kind in the calls of triggers.
  static func code(program: Int, _ kind: Kind) -> Int { program << 1 | kind.rawValue }
}

/// The rows that the transaction under way captured. Belongs to the writer's queue.
///
/// Entries lie one after the other: the entry's length, the code, the length of the key, each of four bytes, then the key's
/// encoded values and the image's.
final class CaptureBuffer {
  /// How many bytes are kept at most; more of them are forgotten, and the tables named instead.
  private let limit: Int
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0
  /// The programs by the codes in entries. A call with another code comes from a trigger that should be gone, and
  /// captures nothing.
  private(set) var programs: [Int: CaptureProgram] = [:]
  private var lastProgram = 0
  /// Tables some of whose entries were forgotten.
  private(set) var overflowed: Set<RecordType> = []
  /// The program of the last call, kept for the following calls.
  private var current: (number: Int, keyCount: Int, isOverflowed: Bool)?
  /// Where the entries of the last commit that began end.
  private var sealedCount = 0

  static let headerSize = 12
  private static let leastCapacity = 4096
  /// Memory beyond this is given back after each transaction.
  private static let greatestIdleCapacity = 1 << 18

  init(limit: Int) {
    self.limit = min(limit, Int(Int32.max))
    capacity = Self.leastCapacity
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    memory.deallocate()
  }

  var isEmpty: Bool { count == 0 && overflowed.isEmpty }

  /// - Returns: The program's number, which no other one gets.
  func add(_ program: CaptureProgram) -> Int {
    lastProgram += 1
    programs[lastProgram] = program
    return lastProgram
  }

  /// Forgets a program whose triggers are gone. Entries that were handed over keep it.
  func remove(program: Int) {
    programs[program] = nil
    current = nil
  }

  /// Takes the captured rows.
  func takeAll() -> (bytes: [UInt8], overflowed: Set<RecordType>) {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: memory, count: count))
    let overflowed = overflowed
    removeAll()
    return (bytes, overflowed)
  }

  func removeAll() {
    truncate(to: 0)
    guard !overflowed.isEmpty else { return }
    overflowed = []
    current = nil
  }

  /// Marks the captured rows as being committed.
  func seal() {
    sealedCount = count
  }

  /// Drops the rows that were captured after the last commit began.
  func removeUnsealed() {
    truncate(to: sealedCount)
  }

  private func truncate(to count: Int) {
    self.count = count
    sealedCount = 0
    if capacity > Self.greatestIdleCapacity && count <= Self.leastCapacity { resize(to: Self.leastCapacity) }
  }

  private func resize(to newCapacity: Int) {
    let larger = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 16)
    larger.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    memory = larger
    capacity = newCapacity
  }
}

// MARK: - Capturing

extension CaptureBuffer {
  /// Appends an entry. The function that triggers call runs it once for each row.
  ///
  /// - Parameter values: The code, the values of the key, and the values of the image.
  func append(_ values: UnsafeMutablePointer<OpaquePointer?>, count valueCount: Int) {
    guard valueCount > 1 else { return }
    let code = Int(sqlite3_value_int64(values[0]))
    let program = code >> 1
    guard let current = current(program), !current.isOverflowed else { return }
    let size = entrySize(values, count: valueCount)
    guard count + size <= limit else { return overflow(program) }
    if count + size > capacity { resize(to: max(capacity * 2, count + size)) }

    let start = memory + count
    let keyEnd = 1 + current.keyCount
    var encoder = ValueEncoder(start + Self.headerSize)
    for index in 1..<min(keyEnd, valueCount) { encoder.append(values[index]) }
    let keySize = encoder.end - start - Self.headerSize
    if keyEnd < valueCount {
      for index in keyEnd..<valueCount { encoder.append(values[index]) }
    }
    let length = encoder.end - start
    start.storeBytes(of: UInt32(truncatingIfNeeded: length), as: UInt32.self)
    start.storeBytes(of: UInt32(truncatingIfNeeded: code), toByteOffset: 4, as: UInt32.self)
    start.storeBytes(of: UInt32(truncatingIfNeeded: keySize), toByteOffset: 8, as: UInt32.self)
    count += length
  }

  private func current(_ number: Int) -> (number: Int, keyCount: Int, isOverflowed: Bool)? {
    if let current, current.number == number { return current }
    current = programs[number].map { (number, $0.keyCount, overflowed.contains($0.table)) }
    return current
  }

  /// How many bytes an entry takes at most.
  private func entrySize(_ values: UnsafeMutablePointer<OpaquePointer?>, count valueCount: Int) -> Int {
    var size = Self.headerSize + ValueTag.greatestFixedSize * valueCount
    for index in 1..<valueCount {
      let type = sqlite3_value_type(values[index])
      if type == SQLITE_TEXT || type == SQLITE_BLOB { size += Int(sqlite3_value_bytes(values[index])) }
    }
    return size
  }

  /// Forgets all entries, and names the tables that they were of.
  private func overflow(_ program: Int) {
    var numbers: Set = [program]
    CapturedEntry.forEach(in: UnsafeRawBufferPointer(start: memory, count: count)) { numbers.insert($0.program) }
    overflowed.formUnion(numbers.compactMap { programs[$0]?.table })
    current = nil
    truncate(to: 0)
  }
}

extension ValueEncoder {
  fileprivate mutating func append(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: append(sqlite3_value_int64(value))
    case SQLITE_FLOAT: append(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let text = sqlite3_value_text(value)
      append(text: text, count: Int(sqlite3_value_bytes(value)))
    case SQLITE_BLOB:
      let blob = sqlite3_value_blob(value)
      append(blob: blob, count: Int(sqlite3_value_bytes(value)))
    default: appendNull()
    }
  }
}

/// One entry of a buffer.
struct CapturedEntry {
  let program: Int
  let isPresent: Bool
  /// Where the key's values lie.
  let key: Range<Int>
  /// Where the image's values lie.
  let image: Range<Int>

  static func forEach(in bytes: UnsafeRawBufferPointer, _ body: (CapturedEntry) -> Void) {
    var offset = 0
    while offset < bytes.count {
      let length = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      let code = Int(bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
      let keyStart = offset + CaptureBuffer.headerSize
      let keyEnd = keyStart + Int(bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self))
      body(
        CapturedEntry(
          program: code >> 1, isPresent: code & 1 == CaptureProgram.Kind.present.rawValue, key: keyStart..<keyEnd,
          image: keyEnd..<offset + length))
      offset += length
    }
  }
}
