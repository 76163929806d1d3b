import Foundation
import GRDB
import Sanderling

/// Finds and opens the database file that a history is imported into.
enum DemoStore {
  /// The application ID in the file's header, "SDem". It marks a database as the demo's, so that no other database is
  /// written to.
  private static let applicationID: UInt32 = 0x5344_656D

  /// Returns the default file for a repository. It is always the same, so that a second run resumes.
  static func defaultPath(for repository: GitRepository) -> String {
    let folder = repository.gitDirectory.split(separator: "/").last { $0 != ".git" } ?? "repository"
    let name = folder.prefix(40).map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
    let digest = fingerprint("\(getuid()):\(repository.gitDirectory)")
    return FileManager.default.temporaryDirectory.appending(path: "sanderling-demo-\(name)-\(digest).sqlite").path
  }

  /// Opens the store, and creates it if there is none.
  ///
  /// - Throws: ``DemoStoreError`` if the file isn't the demo's or can't be used.
  static func open(_ path: String) async throws -> Store {
    if try isMissing(path) { try create(path) }
    do {
      return try await Store.open(path: path, schema: DemoSchema.records)
    } catch let error as StoreError {
      throw DemoStoreError(error, path: path) ?? error
    }
  }

  /// Reads only the file's first bytes, because opening a database can change it.
  ///
  /// - Returns: Whether the file is missing or empty.
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

  /// Creates a database with nothing but the application ID. There is no write-ahead log yet, so the transaction writes
  /// to the file itself.
  private static func create(_ path: String) throws {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder) else {
      throw DemoStoreError.noFolder(path: path, folder: folder)
    }
    // Users without access to the repository get none to this copy. SQLite gives its other files the same mode.
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

  /// Returns the FNV-1a hash of a text, which is the same in each run.
  private static func fingerprint(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 36)
  }
}
