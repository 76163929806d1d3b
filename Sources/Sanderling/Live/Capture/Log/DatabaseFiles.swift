import SanderlingSQLite

/// The database's file and its write-ahead log, read by the handles of a connection.
///
/// No file is opened or closed: SQLite's locks of a process end when the process closes any descriptor of the database.
/// Reading takes no lock. Belongs to the connection's queue, and is not kept beyond one use.
struct DatabaseFiles {
  private let main: UnsafeMutablePointer<sqlite3_file>
  private let log: UnsafeMutablePointer<sqlite3_file>

  /// - Returns: Nil if the connection has no open log, as in other journal modes.
  init?(_ connection: OpaquePointer) {
    guard let main = Self.file(SQLITE_FCNTL_FILE_POINTER, connection),
      let log = Self.file(SQLITE_FCNTL_JOURNAL_POINTER, connection)
    else { return nil }
    (self.main, self.log) = (main, log)
  }

  private static func file(_ operation: Int32, _ connection: OpaquePointer) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(connection, "main", operation, &file) == SQLITE_OK, let file,
      file.pointee.pMethods != nil
    else { return nil }
    return file
  }

  /// - Returns: Nil if the file has fewer bytes, or can't be read.
  func readDatabase(_ count: Int, at offset: Int) -> PageBytes? { Self.read(main, count, offset) }

  /// - Returns: Nil if the log has fewer bytes, or can't be read.
  func readLog(_ count: Int, at offset: Int) -> PageBytes? { Self.read(log, count, offset) }

  private static func read(_ file: UnsafeMutablePointer<sqlite3_file>, _ count: Int, _ offset: Int) -> PageBytes? {
    guard let xRead = file.pointee.pMethods.pointee.xRead else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let code = bytes.withUnsafeMutableBytes { xRead(file, $0.baseAddress, Int32(count), Int64(offset)) }
    return code == SQLITE_OK ? PageBytes(bytes) : nil
  }
}

/// Bytes of SQLite's files. All numbers are big-endian.
struct PageBytes: Equatable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var count: Int { bytes.count }

  func byte(at offset: Int) -> Int? { bytes.indices.contains(offset) ? Int(bytes[offset]) : nil }

  /// A number of 16 bits.
  func short(at offset: Int) -> Int? {
    guard let high = byte(at: offset), let low = byte(at: offset + 1) else { return nil }
    return high << 8 | low
  }

  /// A number of 32 bits.
  func number(at offset: Int) -> UInt32? {
    guard let high = short(at: offset), let low = short(at: offset + 2) else { return nil }
    return UInt32(high << 16 | low)
  }

  /// A number of one to nine bytes.
  func varint(at offset: Int) -> (value: Int64, end: Int)? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard let byte = byte(at: offset + index) else { return nil }
      if index == 8 { return (Int64(bitPattern: value << 8 | UInt64(byte)), offset + 9) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return (Int64(bitPattern: value), offset + index + 1) }
    }
    return nil
  }
}
