import Foundation
import Sanderling
import Testing

@testable import SanderlingCLI

struct DeliveryLogTests {
  private let start = ContinuousClock.now

  private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  /// Makes commits through a store, because a `Commit` can't be made otherwise.
  private func commits(_ count: Int) async throws -> [Commit] {
    let store = try Store(inMemory: [Author.self])
    var commits: [Commit] = []
    for number in 0..<count {
      commits.append(try await store.writeWithCommit("add") { try $0.insert(Author(name: "\(number)")) }.commit)
    }
    return commits
  }

  @Test func delayIsMeasuredFromTheOldestDeliveredCommit() async throws {
    let commits = try await commits(4)
    let times = zip(commits, [0, 10, 20, 30]).map { (number: $0.number, time: at($1)) }
    var log = DeliveryLog()
    log.append(after: nil, through: commits[0], time: at(5))
    log.append(after: commits[0], through: commits[2], time: at(22))
    log.append(after: commits[2], through: commits[3], time: at(31))
    // This delivery shows no commit of the import.
    log.append(after: commits[3], through: commits[3], time: at(99))
    let figures = log.figures(times)
    #expect(log.count == 4)
    #expect(figures.count == 3)
    #expect(figures.median == .milliseconds(5))
    #expect(figures.percentile99 == .milliseconds(12))
    #expect(figures.longest == .milliseconds(12))
  }

  @Test func deliveriesOfOtherCommitsAreLeftOut() async throws {
    let commits = try await commits(3)
    var log = DeliveryLog()
    log.append(after: nil, through: commits[0], time: at(5))
    log.append(after: commits[0], through: commits[1], time: at(50))
    let figures = log.figures([(number: commits[2].number, time: at(0))])
    #expect(figures.count == 0)
    #expect(figures.median == nil)
  }

  @Test func percentilesAreDelaysThatOccurred() {
    let figures = DeliveryFigures(delays: (1...200).reversed().map { .milliseconds($0) })
    #expect(figures.median == .milliseconds(100))
    #expect(figures.percentile99 == .milliseconds(198))
    #expect(figures.longest == .milliseconds(200))
    #expect(DeliveryFigures(delays: [.seconds(1)]).percentile99 == .seconds(1))
  }

  @Test func commitTimesComeInTheOrderOfCommits() async throws {
    let commits = try await commits(3)
    let times = CommitTimes()
    for index in [1, 0, 2] { times.append(commits[index], at(index)) }
    #expect(times.sorted.map(\.time) == [at(0), at(1), at(2)])
  }
}
