import Synchronization

/// A named span of work to which every statement inside it is attributed.
///
/// A write is an operation under the name it is given. To name other work, or to hold several reads and writes together:
///
/// ```swift
/// try await StoreOperation.run("open project") {
///   let project = try await store.fetch(Project.self, key: id)
///   let tasks = try await store.fetch(TodoTask.where { $0.projectID == id })
/// }
/// ```
public struct StoreOperation: Hashable, Sendable {
  /// The operation that the current task runs in.
  @TaskLocal public static var current: StoreOperation?

  /// The name that the operation was given.
  public let name: String
  /// Different for each operation of the process.
  public let id: UInt64
  /// The operation that this one runs in.
  public let parentID: UInt64?

  private static let lastID = Atomic<UInt64>(0)

  /// Creates an operation inside of the current one, if any. `run` runs work in an operation.
  public init(_ name: String) {
    self.name = name
    id = Self.lastID.add(1, ordering: .relaxed).newValue
    parentID = Self.current?.id
  }

  /// Runs work as an operation of this name.
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
