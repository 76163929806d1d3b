import Testing

@testable import Sanderling

@Suite struct LoadQueueTests {
  /// A snapshot that fails gives up the loads under way. Their ends, which may come after the next loads have begun, are not taken for
  /// those of the next ones: what these read is not there yet.
  @Test func aLoadThatWasGivenUpIsNotTakenForTheNext() throws {
    let queue = LoadQueue()
    queue.add(1, isRunAgain: false)
    queue.prepared(1)
    let first = try #require(queue.take(isUrgent: true, now: .zero).first)
    #expect(queue.isUnderWay(first.load, of: 1))
    queue.fail(1, with: StoreError.suspended)
    #expect(!queue.isUnderWay(first.load, of: 1))
    queue.unprepare(1)
    queue.prepared(1)
    let second = try #require(queue.take(isUrgent: true, now: .zero).first)
    #expect(!queue.isUnderWay(first.load, of: 1))
    #expect(queue.isUnderWay(second.load, of: 1))
    #expect(queue.end(1, duration: .zero, mark: nil) == .current)
    #expect(!queue.isUnderWay(second.load, of: 1))
  }
}
