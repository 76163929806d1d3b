import Foundation
public import GRDB

/// The move of a store of Core Data or SwiftData to a new database, on the user's device.
///
/// `sanderling records --move` prints the records of the new database, and the move. The app runs it at its first
/// launch, beside its first screen:
///
/// ```swift
/// let move = StoreMove(from: oldPath, to: newPath, schema: schema, entities: entities, tables: tables)
/// if move.isNeeded {
///   let report = try await move.run { progress in print("\(progress.rowCount) of \(progress.total) rows") }
///   print(report)
/// }
/// let store = try await Store.open(path: newPath, schema: schema)
/// ```
///
/// The move reads one snapshot of the old store and writes a file beside the final place. It then checks the finished
/// file: the rows and contents of each entity, references, and external files. The last step gives the file its name. So
/// there is no new database, or a complete one, whenever the process ends. The next run starts again.
///
/// The old store is never changed, and stays until ``deleteOldStore()``.
public struct StoreMove: Sendable {
  let old: CoreDataFile
  let path: String
  let schema: [any StoredRecord.Type]
  let entities: [String: Int]
  let tables: [Table]
  let configuration: GRDB.Configuration?

  /// Describes a move. Reads and writes nothing.
  ///
  /// - Parameters:
  ///   - oldPath: The file of the old store. Its folder must be writable, or the files `-wal` and `-shm` beside it must
  ///     exist.
  ///   - newPath: The file of the new database, in an existing folder.
  ///   - schema: The records of the new database.
  ///   - entities: The numbers of the old store's entities, as printed. A store of another version of the model may
  ///     have other numbers, and is refused. A renamed entity may have both names.
  ///   - tables: The rows to move. References may lead to tables that come later.
  ///   - configuration: GRDB's configuration for the new database, for its key and its functions.
  public init(
    from oldPath: String, to newPath: String, schema: [any StoredRecord.Type], entities: [String: Int],
    tables: [Table], configuration: GRDB.Configuration? = nil
  ) {
    old = CoreDataFile(path: oldPath)
    path = newPath
    (self.schema, self.entities, self.tables) = (schema, entities, tables)
    self.configuration = configuration
  }

  /// Whether there is an old store and no new database yet.
  public var isNeeded: Bool { FileManager.default.fileExists(atPath: old.path) && !isFinished }

  /// Whether the new database exists. It is complete as soon as it exists.
  public var isFinished: Bool { FileManager.default.fileExists(atPath: path) }

  /// Moves all rows.
  ///
  /// The rows are copied in slices on a thread of its own, with the priority of utilities. Nothing else may open the new
  /// database meanwhile. The app may read the old store, and write it: then the move starts again.
  ///
  /// A value that doesn't fit its property is set to NULL if the property is optional. Otherwise its row is left out.
  /// The same holds for references to rows that don't exist, and for external files that are missing. The report names
  /// each of them.
  ///
  /// While the move runs, it holds a snapshot of the old store. Then Core Data's log of a store with a write-ahead log
  /// grows with each save, and saves of a store without such a log wait.
  ///
  /// - Parameters:
  ///   - attempts: The number of times that the move starts, if another connection writes the old store meanwhile.
  ///   - progress: Called about every 10,000 rows, on the thread of the move.
  /// - Returns: The numbers of rows, and the values that could not be moved.
  /// - Throws: ``StoreMoveError``; ``StoreError`` for files that can't be read or written; `CancellationError`. The new
  ///   database then doesn't exist.
  /// - Complexity: O(rows) in time, and the space of the new database on the disk. The memory does not depend on the
  ///   number of rows.
  public func run(
    attempts: Int = 3, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws -> Report {
    let control = MoveControl()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global(qos: .utility).async {
          continuation.resume(
            with: Result { try MoveRun(move: self, control: control, progress: progress).run(attempts: attempts) })
        }
      }
    } onCancel: {
      control.cancel()
    }
  }

  /// Reads the values that the finished move could not move, in the order in which it found them.
  ///
  /// - Parameter limit: The greatest number of problems to read.
  public func problems(limit: Int = 1000) async throws -> [Problem] {
    let (path, configuration) = (path, configuration)
    return try await offThread {
      do {
        let queue = try DatabaseQueue(path: path, configuration: CoreDataFile.readOnly(configuration))
        return try queue.read { try MoveProblems.all($0, limit: limit) }
      } catch {
        throw StoreError.wrapping(error, path: path)
      }
    }
  }

  /// Deletes the files of the old store: the database, its log, and the folder of external files.
  ///
  /// Call it when Core Data has closed the store in all processes, and the app needs no way back.
  ///
  /// - Throws: ``StoreMoveError/notFinished(path:)`` before the move is finished, and Foundation's errors.
  public func deleteOldStore() throws {
    guard isFinished else { throw StoreMoveError.notFinished(path: path) }
    let files = FileManager.default
    for path in ["", "-wal", "-shm", "-journal"].map({ old.path + $0 }) + [old.supportFolder.path]
    where files.fileExists(atPath: path) {
      try files.removeItem(atPath: path)
    }
  }
}
