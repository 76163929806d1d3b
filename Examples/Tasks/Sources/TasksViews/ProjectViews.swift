#if canImport(SwiftUI)
  import Sanderling
  import SanderlingSwiftUI
  import SwiftUI
  import TasksModel

  struct ProjectsView: View {
    let model: TasksModel

    var body: some View {
      NavigationStack {
        List {
          ForEach(model.projects.rows) { project in
            NavigationLink(value: project.id) {
              Text("\(project.name): \(project.open) open, \(project.completed) completed")
            }
            .swipeActions {
              Button("Delete") { Task { await model.editor.delete(project: project.id) } }
            }
          }
        }
        .navigationTitle("Projects")
        .navigationDestination(for: Project.ID.self) { id in ProjectView(model: model, id: id) }
      }
    }
  }

  struct ProjectView: View {
    private let model: TasksModel
    @FollowedValue private var project: Project?
    @State private var agenda: AgendaModel

    init(model: TasksModel, id: Project.ID) {
      self.model = model
      _project = FollowedValue(Project.self, key: id)
      _agenda = State(initialValue: AgendaModel(model.store, project: id))
    }

    var body: some View {
      AgendaView(model: model, agenda: agenda).navigationTitle(project?.name ?? "")
    }
  }
#endif
