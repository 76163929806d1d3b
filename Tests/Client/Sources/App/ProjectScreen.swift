import Interface
import Models
import Sanderling

struct ProjectScreen: View {
  @State private var model: TaskModel

  init(store: Store, project: Project) {
    _model = State(initialValue: TaskModel(store: store, project: project.id))
  }

  var body: some View {
    List {
      Text(model.title)
      ForEach(model.tasks.rows) { task in
        Text("\(task.title) \(task.priority)")
      }
      ForEach(model.summaries.elements) { Text("\($0.name): \($0.openTasks)") }
      if model.tasks.hasMore {
        Text("More …").onAppear { model.tasks.loadMore() }
      }
      if model.tasks.state.error != nil {
        Button("Try again") { model.tasks.retry() }
      }
    }
    .task { await model.follow() }
  }
}
