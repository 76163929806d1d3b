import SanderlingSQLite

/// The table, columns and key size that a set of triggers captures. The calls of the triggers name it by a number.
struct CaptureProgram: Sendable {
  let table: RecordType
  let layout: CaptureLayout
  let keyCount: Int

  /// Whether a captured row existed.
  enum Kind: Int {
    case absent = 0
    case present = 1
  }

  /// The number in the triggers' calls, for a program and a kind.
  static func code(program: Int, _ kind: Kind) -> Int { program << 1 | kind.rawValue }
}

/// The rows that the running transaction captured. Belongs to the writer's queue.
///
/// Entries are adjacent. Each begins with its length, the code and the key's length, in four bytes each. The encoded
/// values of the key and of the image follow.
final class CaptureBuffer {
  /// The most bytes that are kept. With more, the entries are dropped, and only the names of their tables are kept.
  private let limit: Int
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0
  /// The programs by their numbers. Calls with another number come from triggers that should be gone, and capture
  /// nothing.
  private(set) var programs: [Int: CaptureProgram] = [:]
  private var lastProgram = 0
  /// Tables with dropped entries.
  private(set) var overflowed: Set<RecordType> = []
  /// The program of the last call. Kept because successive calls mostly have the same program.
  private var current: (number: Int, keyCount: Int, isOverflowed: Bool)?
  /// The end of the entries of the last commit that began.
  private var sealedCount = 0

  static let headerSize = 12
  private static let leastCapacity = 4096
  /// Memory beyond this is freed after each transaction.
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

  /// - Returns: The program's number, which is never used again.
  func add(_ program: CaptureProgram) -> Int {
    lastProgram += 1
    programs[lastProgram] = program
    return lastProgram
  }

  /// Forgets a program whose triggers are gone. Entries that were taken keep the program.
  func remove(program: Int) {
    programs[program] = nil
    current = nil
  }

  /// Takes all entries and the names of the overflowed tables.
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

  /// Marks the entries so far as part of a commit.
  func seal() {
    sealedCount = count
  }

  /// Drops the entries that were captured after the last commit began.
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
  /// Appends an entry. Called by the function that the triggers call, once for each row.
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

  /// The most bytes that an entry takes.
  private func entrySize(_ values: UnsafeMutablePointer<OpaquePointer?>, count valueCount: Int) -> Int {
    var size = Self.headerSize + ValueTag.greatestFixedSize * valueCount
    for index in 1..<valueCount {
      let type = sqlite3_value_type(values[index])
      if type == SQLITE_TEXT || type == SQLITE_BLOB { size += Int(sqlite3_value_bytes(values[index])) }
    }
    return size
  }

  /// Drops all entries, and keeps the names of their tables.
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
  /// The range of the key's values.
  let key: Range<Int>
  /// The range of the image's values.
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
