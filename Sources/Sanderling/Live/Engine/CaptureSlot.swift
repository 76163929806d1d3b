import GRDB

/// The place of the store's capture, once the writer's queue has made it.
final class CaptureSlot: Sendable {
  private let log: ChangeLog
  /// Guards whether there is a capture. The capture itself is confined to the writer's queue.
  private let made = Lock<WriterConfined<ChangeCapture>?>(nil)

  init(_ log: ChangeLog) {
    self.log = log
  }

  /// The capture; nil before any query was followed. Called on the writer's queue.
  func capture(_ db: Database) -> ChangeCapture? {
    made.withLock { $0 }?.value(on: db)
  }

  /// Returns the capture, made on the first call. Called on the writer's queue, outside of a transaction.
  ///
  /// - Parameter tell: Called on the writer's queue after each commit with changes to take. Returns at once.
  func makeCapture(
    _ connection: StoreConnection, _ outside: OutsideWatch, _ db: Database, tell: @escaping @Sendable () -> Void
  ) throws -> ChangeCapture {
    if let capture = capture(db) { return capture }
    let capture = ChangeCapture(log: log, outside: outside, history: connection.history?.tables, tell: tell)
    try connection.observer(db).begin(telling: capture, db)
    made.withLock { $0 = WriterConfined(capture, on: db) }
    return capture
  }
}
