#if canImport(SwiftUI)
  import Foundation
  import Sanderling
  import SwiftUI
  import TasksModel

  struct TodayView: View {
    let model: TasksModel
    @State private var line = ""

    var body: some View {
      NavigationStack {
        List {
          TextField("Water the plants +Garden", text: $line).onSubmit(add)
          if let problem = model.editor.problem { Text(problem) }
          ForEach(model.today.tasks.rows) { task in TaskRow(task: task, model: model) }
        }
        .animation(.default, value: model.today.tasks.rows)
        .navigationTitle("Today")
        .toolbar {
          Button("Undo \(model.editor.undoName ?? "")") { Task { await model.editor.undo() } }
            .disabled(model.editor.undoName == nil)
          Button("Redo \(model.editor.redoName ?? "")") { Task { await model.editor.redo() } }
            .disabled(model.editor.redoName == nil)
        }
      }
    }

    private func add() {
      guard var draft = try? TaskDraft(line: line) else { return }
      draft.dueOn = draft.dueOn ?? model.today.today.day
      line = ""
      Task { [draft] in await model.editor.add(draft) }
    }
  }

  /// Tasks in sections by day. A row is read when its position becomes visible.
  struct AgendaView: View {
    let model: TasksModel
    let agenda: AgendaModel

    var body: some View {
      ScrollViewReader { scroll in
        List {
          ForEach(agenda.sections) { section in
            Section(
              "\(section.day?.name(from: model.today.today) ?? "No day"): \(section.open) of \(section.positions.count) open"
            ) {
              ForEach(section.positions, id: \.self) { position in
                if let task = agenda.tasks[position] { TaskRow(task: task, model: model) } else { Text("…") }
              }
            }
          }
        }
        .toolbar {
          Button("Today") {
            Task { scroll.scrollTo(try await agenda.show(from: model.today.today.day), anchor: .top) }
          }
        }
      }
    }
  }

  struct SearchView: View {
    let model: TasksModel
    @Bindable var search: SearchSession<TodoTask>

    var body: some View {
      NavigationStack {
        List {
          ForEach(search.rows) { task in TaskRow(task: task, model: model, input: search.input) }
        }
        .searchable(text: $search.input)
        .navigationTitle("Search")
      }
    }
  }

  struct TaskRow: View {
    let task: TodoTask
    let model: TasksModel
    var input = ""

    var body: some View {
      HStack {
        Button(task.isCompleted ? "✓" : "○") { Task { await model.editor.toggle(task.id) } }
        Text(SearchHighlights(input).attributed(task.title, .strong))
        Spacer()
        Text(model.projects.rows[id: task.projectID]?.name ?? "").foregroundStyle(.secondary)
      }
      .swipeActions {
        Button("Delete") { Task { await model.editor.delete(task.id) } }
        Button("Tomorrow") { Task { await model.editor.move(task.id, to: model.today.today.day.advanced(by: 1)) } }
      }
    }
  }

  extension AttributeContainer {
    fileprivate static let strong = AttributeContainer().inlinePresentationIntent(.stronglyEmphasized)
  }
#endif
