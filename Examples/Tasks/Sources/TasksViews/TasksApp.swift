#if canImport(SwiftUI)
  import Sanderling
  import SanderlingSwiftUI
  import SwiftUI
  import TasksModel

  /// The app for a Mac, an iPhone and an iPad.
  public struct TasksApp: App {
    @State private var model: TasksModel?
    @State private var problem: String?

    public init() {
      #if os(macOS)
        // A program outside of a bundle gets no menu and no keyboard otherwise.
        NSApplication.shared.setActivationPolicy(.regular)
      #endif
    }

    public var body: some Scene {
      WindowGroup {
        if let model {
          TasksScreen(model: model) { server in try await open(server) }.sanderlingStore(model.store)
        } else {
          Text(problem ?? "Opening …").task {
            do { try await open(nil) } catch { problem = error.localizedDescription }
          }
        }
      }
    }

    /// Opens the database of a server's user, in place of the present one.
    private func open(_ server: Server?) async throws {
      let opened = try await TasksModel.open(server: server)
      let former = model
      model = opened
      try await former?.close()
    }
  }

  struct TasksScreen: View {
    let model: TasksModel
    let signIn: @MainActor (Server) async throws -> Void

    var body: some View {
      TabView {
        Tab("Today", systemImage: "sun.max") { TodayView(model: model) }
        Tab("All", systemImage: "calendar") {
          NavigationStack { AgendaView(model: model, agenda: model.agenda).navigationTitle("All tasks") }
        }
        Tab("Projects", systemImage: "folder") { ProjectsView(model: model) }
        Tab("Search", systemImage: "magnifyingglass") { SearchView(model: model, search: model.search) }
        Tab("Account", systemImage: "person") { AccountView(model: model, signIn: signIn) }
      }
      .id(ObjectIdentifier(model))
    }
  }
#endif
