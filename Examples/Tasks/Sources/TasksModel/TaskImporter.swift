import Observation
import Sanderling

/// Imports many tasks while the user goes on working.
@MainActor @Observable
public final class TaskImporter {
  public struct Progress: Hashable, Sendable {
    public var done = 0
    public let total: Int
  }

  /// The number of tasks in one transaction. The user's own writes wait for one transaction at most.
  static let slice = 250

  /// The progress of the running import; nil if none is running.
  public private(set) var progress: Progress?
  public private(set) var problem: String?
  private let store: Store
  @ObservationIgnored private var work: Task<Void, Never>?

  public init(_ store: Store) { self.store = store }

  /// Starts an import, unless one is running.
  public func start(_ drafts: [TaskDraft]) {
    guard progress == nil else { return }
    (progress, problem) = (Progress(total: drafts.count), nil)
    work = Task { [store] in
      do {
        for start in stride(from: 0, to: drafts.count, by: Self.slice) {
          try Task.checkCancellation()
          let slice = drafts[start..<min(start + Self.slice, drafts.count)]
          try await store.write("Import", priority: .background) { tx in
            let keys = try Dictionary(grouping: slice, by: \.project).mapValues { try tx.project(named: $0[0].project) }
            try tx.insert(contentsOf: slice.compactMap { draft in keys[draft.project].map(draft.task) })
          }
          progress?.done += slice.count
        }
      } catch is CancellationError {
      } catch {
        problem = error.localizedDescription
      }
      progress = nil
    }
  }

  /// Ends the import after the present transaction. Imported tasks stay.
  public func cancel() { work?.cancel() }

  public func finished() async { await work?.value }
}
