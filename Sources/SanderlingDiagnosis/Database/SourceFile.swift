import Foundation
import SanderlingSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The properties of a database file that are known without SQLite.
struct SourceFile: Sendable {
  /// The path without symbolic links: SQLite expects the write-ahead log beside the file itself.
  let path: String

  static let headerLength = 100

  /// Throws `DiagnosisError` if it can't be a database that this user may read.
  init(path: String) throws {
    guard let resolved = realpath(path, nil) else {
      throw errno == EACCES
        ? DiagnosisError.permissionDenied(path: path) : DiagnosisError.fileMissing(path: path)
    }
    defer { free(resolved) }
    self.path = String(cString: resolved)
    guard let state = Self.state(of: self.path) else { throw DiagnosisError.fileMissing(path: path) }
    switch state.type {
    case S_IFREG: break
    case S_IFDIR: throw DiagnosisError.isFolder(path: path)
    // Opening a pipe would wait for its writer.
    default: throw DiagnosisError.notAFile(path: path)
    }
    if access(self.path, R_OK) != 0 { throw DiagnosisError.permissionDenied(path: path) }
    if state.bytes == 0 { throw DiagnosisError.fileEmpty(path: path) }
  }

  var walPath: String { path + "-wal" }
  var sharedMemoryPath: String { path + "-shm" }

  /// The size of the file and of its write-ahead log.
  var bytes: Int64 { (Self.state(of: path)?.bytes ?? 0) + (Self.state(of: walPath)?.bytes ?? 0) }

  /// The states of the files, which change when another connection writes.
  var states: [State?] { [path, walPath, sharedMemoryPath].map(Self.state(of:)) }

  struct State: Equatable, Sendable {
    var bytes: Int64
    var seconds: Int
    var nanoseconds: Int
    var number: UInt64
    var type: mode_t
  }

  static func state(of path: String) -> State? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return State(
      bytes: Int64(status.st_size), seconds: time.tv_sec, nanoseconds: time.tv_nsec, number: UInt64(status.st_ino),
      type: status.st_mode & S_IFMT)
  }
}

/// The first bytes of a database file.
struct DatabaseHeader: Equatable, Sendable {
  var pageSize: Int
  var usesWriteAheadLog: Bool
  /// Free pages, which the file has but no table uses.
  var freePages: Int64
  var pages: Int64
  /// 0 none, 1 full, 2 incremental.
  var autoVacuum: Int

  /// Nil if the bytes are no SQLite header.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= SourceFile.headerLength, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      return nil
    }
    func number(_ offset: Int) -> Int64 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) } }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65536 : size
    guard pageSize >= 512, pageSize.nonzeroBitCount == 1 else { return nil }
    usesWriteAheadLog = bytes[18] == 2 || bytes[19] == 2
    pages = number(28)
    freePages = number(36)
    autoVacuum = number(52) == 0 ? 0 : number(64) == 0 ? 1 : 2
  }
}
