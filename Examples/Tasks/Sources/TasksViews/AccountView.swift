#if canImport(SwiftUI)
  import Foundation
  import SwiftUI
  import TasksModel

  /// The synchronisation, and the import of tasks to try the app with.
  struct AccountView: View {
    let model: TasksModel
    let signIn: @MainActor (Server) async throws -> Void
    @State private var address = "http://127.0.0.1:8888/v1"
    @State private var user = ""
    @State private var password = ""
    @State private var problem: String?

    var body: some View {
      Form {
        if let sync = model.sync {
          Text(sync.problem ?? "\(sync.status.progress.counts.received) received, \(sync.pendingCount) to send")
          Button("Synchronise now") { Task { await sync.refresh() } }
        } else {
          TextField("Address", text: $address)
          TextField("User", text: $user)
          SecureField("Password", text: $password)
          Button("Sign in", action: start).disabled(user.isEmpty || password.isEmpty)
          if let problem { Text(problem) }
        }
        if let progress = model.importer.progress {
          ProgressView(value: Double(progress.done), total: Double(progress.total))
          Button("Stop") { model.importer.cancel() }
        } else {
          Button("Import 5,000 samples") {
            model.importer.start(TaskDraft.samples(5_000, around: model.today.today.day))
          }
        }
        if let problem = model.importer.problem { Text(problem) }
      }
    }

    private func start() {
      guard let url = URL(string: address) else {
        problem = "\(address) is no address."
        return
      }
      Task {
        do { try await signIn(Server(url, user: user, password: password)) } catch {
          problem = error.localizedDescription
        }
      }
    }
  }
#endif
