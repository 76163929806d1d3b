import Synchronization

/// A named span of work to which every statement inside it is attributed.
///
/// A write is an operation with the name of the write. To name other work, or to combine several reads and writes:
///
/// ```swift
/// try await StoreOperation.run("open project") {
///   let project = try await store.fetch(Project.self, key: id)
///   let tasks = try await store.fetch(TodoTask.where { $0.projectID == id })
/// }
/// ```
public struct StoreOperation: Hashable, Sendable {
  /// The operation in which the current task runs; nil outside of any.
  @TaskLocal public static var current: StoreOperation?

  /// The name of the operation.
  public let name: String
  /// A number that differs for each operation of the process.
  public let id: UInt64
  /// The surrounding operation; nil if there is none.
  public let parentID: UInt64?

  private static let lastID = Atomic<UInt64>(0)

  /// Creates an operation inside of the current one, if any. ``run(_:isolation:_:)`` runs work in an operation.
  public init(_ name: String) {
    self.name = name
    id = Self.lastID.add(1, ordering: .relaxed).newValue
    parentID = Self.current?.id
  }

  /// Runs work as an operation with a name.
  public static func run<Value, Failure: Error>(
    _ name: String, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await $current.withValue(StoreOperation(name)) {
      do throws(Failure) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
