import Foundation
import GRDB
import SanderlingSQLite

/// The function `external_data` of SQL, which reads the values of attributes that allow external storage.
///
/// The column has a marker byte. After a 1 come the bytes themselves. After a 2 comes the name of a file in the folder of
/// external files. For a value that can't be read, the function returns the number of the failure, which fits no
/// property of bytes.
///
/// The object belongs to one connection and its queue. The connection retains it until it closes.
final class ExternalFiles {
  static let function = "external_data"

  enum Failure: Int32, Error {
    case missing = 1
    case unknownMarker, noName, tooLarge, unreadable

    var reason: String {
      switch self {
      case .missing: "its external file is missing"
      case .unknownMarker: "it begins with an unknown marker, and neither contains bytes nor names an external file"
      case .noName: "the name of its external file is no name of a file"
      case .tooLarge: "its external file is larger than a value of SQLite can be"
      case .unreadable: "its external file can't be read"
      }
    }
  }

  private let folder: URL
  private let limit: Int
  /// The last file. A row calls the function twice: once to check the row, and once to copy it.
  private var last: (name: String, data: Data)?
  /// The number of files that were read.
  private(set) var count = 0

  private init(_ folder: URL, limit: Int) {
    (self.folder, self.limit) = (folder, limit)
  }

  static func register(_ file: CoreDataFile, on db: Database) throws -> ExternalFiles {
    let files = ExternalFiles(
      file.supportFolder.appending(path: "_EXTERNAL_DATA", directoryHint: .isDirectory),
      limit: Int(sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, -1)))
    try SQLFunction.register(function, argumentCount: 1, on: db.sqliteConnection) { context, values in
      if let value = values[0] { files.answer(context, value) }
    }
    return files
  }

  private func answer(_ context: OpaquePointer?, _ value: OpaquePointer) {
    guard sqlite3_value_type(value) == SQLITE_BLOB else { return sqlite3_result_value(context, value) }
    let bytes = UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
    guard let marker = bytes.first else { return sqlite3_result_zeroblob(context, 0) }
    let content = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    do throws(Failure) {
      switch marker {
      case 1 where content.isEmpty: sqlite3_result_zeroblob(context, 0)
      case 1: sqlite3_result_blob64(context, content.baseAddress, UInt64(content.count), transientDestructor)
      case 2:
        let data = try file(named: String(decoding: content.prefix { $0 != 0 }, as: UTF8.self))
        data.withUnsafeBytes { bytes in
          if bytes.isEmpty {
            sqlite3_result_zeroblob(context, 0)
          } else {
            sqlite3_result_blob64(context, bytes.baseAddress, UInt64(bytes.count), transientDestructor)
          }
        }
      default: throw .unknownMarker
      }
    } catch {
      sqlite3_result_int(context, error.rawValue)
    }
  }

  private func file(named name: String) throws(Failure) -> Data {
    if let last, last.name == name { return last.data }
    guard !name.isEmpty, name.utf8.count <= 255, !name.contains("/"), name != ".", name != ".." else { throw .noName }
    let url = folder.appending(path: name, directoryHint: .notDirectory)
    guard let size = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? NSNumber else {
      throw .missing
    }
    // A row has other values, too.
    guard size.intValue < limit - 1_000_000 else { throw .tooLarge }
    guard let data = try? Data(contentsOf: url) else { throw .unreadable }
    last = (name, data)
    count += 1
    return data
  }
}
