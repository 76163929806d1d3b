import Sanderling

/// The app: its store, and the models of its screens.
@MainActor
public final class TasksModel {
  public nonisolated static let schema: [any StoredRecord.Type] = [Project.self, TodoTask.self]

  public let store: Store
  public let projects: LiveList<ProjectSummary>
  public let today: TodayModel
  public let agenda: AgendaModel
  public let search: SearchSession<TodoTask>
  public let editor: TaskEditor
  public let importer: TaskImporter
  /// The synchronisation; nil for a store that stays on this device.
  public let sync: SyncModel?

  public init(_ store: Store, sync: SyncModel? = nil, days: DayClock = DayClock()) {
    self.store = store
    self.sync = sync
    projects = store.liveList(ProjectSummary.order { $0.name })
    today = TodayModel(store, days: days)
    agenda = AgendaModel(store)
    search = store.searchSession(TodoTask.order { ($0.isCompleted, $0.dueOn, $0.title) }, empty: .noRows) { $0.title }
    editor = TaskEditor(store)
    importer = TaskImporter(store)
  }

  /// Opens a database, which each user of each server has for itself, and starts the synchronisation.
  public static func open(_ location: StoreLocation? = nil, server: Server? = nil) async throws -> TasksModel {
    let store = try await Store.open(
      location ?? .applicationSupport("Tasks", file: (server?.name ?? "local") + ".sqlite"), schema: schema)
    guard let server else { return TasksModel(store) }
    let sync = try await SyncModel(store, server)
    sync.start()
    return TasksModel(store, sync: sync)
  }

  /// Ends all work and closes the store.
  public func close() async throws {
    importer.cancel()
    await sync?.stop()
    try store.close()
  }
}
