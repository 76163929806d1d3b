import Foundation

/// A temporary file with a text, which is deleted with this object.
final class LogFile {
  let url: URL

  convenience init(_ text: String) throws {
    try self.init(Data(text.utf8))
  }

  init(_ data: Data) throws {
    url = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString).txt")
    try data.write(to: url)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
