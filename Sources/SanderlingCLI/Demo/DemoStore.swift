import Foundation
import GRDB
import Sanderling

/// Finds and opens the file that a history is imported into.
enum DemoStore {
  /// Marks a database file as the demo's, so that no other is ever written to: "SDem" in the header's application ID.
  private static let applicationID: UInt32 = 0x5344_656D

  /// The file for a repository that no file was named for: always the same, so that a second run resumes.
  static func defaultPath(for repository: GitRepository) -> String {
    let folder = repository.gitDirectory.split(separator: "/").last { $0 != ".git" } ?? "repository"
    let name = folder.prefix(40).map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
    let digest = fingerprint("\(getuid()):\(repository.gitDirectory)")
    return FileManager.default.temporaryDirectory.appending(path: "sanderling-demo-\(name)-\(digest).sqlite").path
  }

  /// Opens the store, and creates a missing one.
  ///
  /// - Throws: ``DemoStoreError`` if the file is something else or can't be used.
  static func open(_ path: String) async throws -> Store {
    if try isMissing(path) { try create(path) }
    do {
      return try await Store.open(path: path, schema: DemoSchema.records)
    } catch let error as StoreError {
      throw DemoStoreError(error, path: path) ?? error
    }
  }

  /// Looks at the file's first bytes only: opening a database can change it.
  ///
  /// - Returns: Whether there is no file, or one with nothing in it.
  private static func isMissing(_ path: String) throws -> Bool {
    switch FileKind(at: path) {
    case .nothing: return true
    case .file: break
    case .folder: throw DemoStoreError.isDirectory(path)
    case .other: throw DemoStoreError.notADatabase(path)
    case .hidden: throw DemoStoreError.unusable(path: path, reason: "it can't be read.")
    }
    let header: Data
    do {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? file.close() }
      header = try file.read(upToCount: 100) ?? Data()
    } catch {
      throw DemoStoreError.unusable(path: path, reason: "it can't be read.")
    }
    guard !header.isEmpty else { return true }
    guard header.starts(with: "SQLite format 3\0".utf8), header.count == 100 else {
      throw DemoStoreError.notADatabase(path)
    }
    // https://www.sqlite.org/fileformat.html#application_id
    let mark = header[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
    guard mark == applicationID else { throw DemoStoreError.foreign(path) }
    return false
  }

  /// Makes a database with nothing but the mark, in one transaction that reaches the file itself: there is no
  /// write-ahead log yet.
  private static func create(_ path: String) throws {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder) else {
      throw DemoStoreError.noFolder(path: path, folder: folder)
    }
    // Users without access to the repository must not read this copy either. SQLite gives its other files the same
    // mode.
    let files = FileManager.default
    guard
      files.fileExists(atPath: path)
        || files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw DemoStoreError.unusable(path: path, reason: "it can't be made.") }
    do {
      let database = try DatabaseQueue(path: path)
      try database.write { try $0.execute(sql: "PRAGMA application_id = \(applicationID)") }
      try database.close()
    } catch let error as DatabaseError {
      throw DemoStoreError.unusable(path: path, reason: "\(error.message ?? error.resultCode.description).")
    }
  }

  /// FNV-1a, for a name that stays the same from run to run.
  private static func fingerprint(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 36)
  }
}
