import Foundation

/// A process that holds a lock on a database.
///
/// Linux names the holders of locks. Other systems name none, so that ``StoreError/busy(path:holders:duration:)`` has an
/// empty list there.
public struct LockHolder: Hashable, Sendable {
  /// The system's number of the process. Zero if the process is in another container.
  public let processID: Int32
  /// The name of its program; nil if the system doesn't tell.
  public let name: String?

  init(processID: Int32, name: String?) {
    (self.processID, self.name) = (processID, name)
  }
}

extension LockHolder: CustomStringConvertible {
  public var description: String {
    if processID == ProcessInfo.processInfo.processIdentifier { return "this process" }
    return processID > 0 ? "process \(processID)\(name.map { " (\($0))" } ?? "")" : "a process of another container"
  }
}

extension LockHolder {
  /// The processes whose locks keep others from writing a database. Reads some small files of the system, and opens none
  /// of the database's.
  ///
  /// In WAL mode, a writer locks a part of the `-shm` file. Otherwise it locks a part of the database, and waits for all
  /// readers.
  static func all(of path: String) -> [LockHolder] {
    // Only Linux has this file.
    guard let text = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return [] }
    let (main, memory) = (number(ofFile: path), number(ofFile: path + "-shm"))
    let locks = text.split(separator: "\n").compactMap { Line($0) }
    var found = locks.filter { $0.isExclusive && ($0.file == memory ?? main) }
    if found.isEmpty, memory == nil { found = locks.filter { $0.file == main } }
    let numbers = Set(found.map(\.process))
    return numbers.sorted().map { LockHolder(processID: max($0, 0), name: name(ofProcess: $0)) }
  }

  /// The inode of a file. Opening the file and closing it again would end SQLite's locks of this process.
  private static func number(ofFile path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  private static func name(ofProcess number: Int32) -> String? {
    let name = try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)
    return name?.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A line of `/proc/locks`, as `1: POSIX  ADVISORY  WRITE 4711 08:02:131094 120 120`. A line with `->` waits for the
  /// lock before it.
  private struct Line {
    let process: Int32
    let file: UInt64
    let isExclusive: Bool

    init?(_ line: Substring) {
      let words = line.split(separator: " ")
      guard words.count >= 8, words[1] == "POSIX", let process = Int32(words[4]),
        let file = words[5].split(separator: ":").last.flatMap({ UInt64($0) })
      else { return nil }
      (self.process, self.file, isExclusive) = (process, file, words[3] == "WRITE")
    }
  }
}
