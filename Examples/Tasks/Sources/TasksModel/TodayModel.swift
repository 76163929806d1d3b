import Observation
import Sanderling

/// The open tasks of today and of earlier days. At midnight, the list moves on to the next day by itself.
@MainActor @Observable
public final class TodayModel {
  public let tasks: LiveList<TodoTask>
  public let overdue: LiveCount
  /// The current day, for the names of days.
  public private(set) var today: Today
  @ObservationIgnored private var following: Task<Void, Never>?

  /// - Parameter days: A test passes a clock of its own.
  public init(_ store: Store, days: DayClock = DayClock()) {
    today = days.today
    tasks = store.liveList(on: days) { today in
      TodoTask.where {
        !$0.isCompleted
        $0.dueOn.in(.overdue, from: today) || $0.dueOn.in(.today, from: today)
      }.order { ($0.dueOn, $0.title) }
    }
    overdue = store.liveCount(on: days) { today in
      TodoTask.where { !$0.isCompleted && $0.dueOn.in(.overdue, from: today) }
    }
    following = Task { [weak self] in
      while let today = self?.today, let next = try? await days.change(of: today) { self?.today = next }
    }
  }

  deinit { following?.cancel() }
}
