import GRDB

extension DatabaseQueue {
  /// A connection beside an open store. The connection waits for locks, as every connection to a shared file should: a
  /// store reads and writes at times that a test does not decide.
  convenience init(beside path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    try self.init(path: path, configuration: configuration)
  }
}
