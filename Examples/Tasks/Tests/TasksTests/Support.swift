import Foundation
import Sanderling
import SanderlingTesting
import Testing

@testable import TasksModel

let today = LocalDay(year: 2026, month: 11, day: 28) ?? LocalDay(daysSince1970: 0)

/// A clock of days that stands still, ten seconds before the midnight after ``today``.
struct StillDays {
  let clock = ManualClock()

  var days: DayClock {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let midnight = today.range(in: .gmt).upperBound
    return DayClock(
      calendar: { [calendar] in calendar }, now: { [clock] in midnight + (clock.now.offset / .seconds(1) - 10) },
      clock: clock)
  }
}

extension Store {
  /// A store in memory with samples.
  static func tasks(_ count: Int = 0) throws -> Store {
    try .seeded(TasksModel.schema, samples(count))
  }

  static func samples(_ count: Int) -> @Sendable (WriteTransaction) throws -> Void {
    { tx in
      let drafts = TaskDraft.samples(count, around: today)
      let keys = try Dictionary(grouping: drafts, by: \.project).mapValues { try tx.project(named: $0[0].project) }
      try tx.insert(contentsOf: drafts.compactMap { draft in keys[draft.project].map(draft.task) })
    }
  }
}
