import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

@Suite struct ProgressHubTests {
  /// Two tasks tell at once: the last state that a listener gets is the last one.
  @Test func theLastStateIsToldLast() async throws {
    for _ in 0..<500 {
      let hub = ProgressHub()
      let updates = hub.listen()
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        for _ in 0..<20 { hub.tell(number.isMultiple(of: 2) ? .pulling : .removing) }
      }
      // One is buffered: the newest.
      hub.close()
      var last: SyncProgress?
      for await update in updates { last = update }
      try #require(last == hub.current)
    }
  }

  /// A state that arrives while a subscriber is added is never followed by an older state.
  @Test func whoBeginsToListenGetsTheLastStateLast() async throws {
    for _ in 0..<500 {
      let hub = ProgressHub()
      let streams = Lock<[AsyncStream<SyncProgress>]>([])
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        for _ in 0..<10 {
          if number == 0 {
            hub.tell(.pulling)
            hub.tell(.idle)
          } else {
            let stream = hub.listen()
            streams.withLock { $0.append(stream) }
          }
        }
      }
      hub.close()
      for stream in streams.withLock({ $0 }) {
        var last: SyncProgress?
        for await update in stream { last = update }
        try #require(last?.phase == .idle)
      }
    }
  }

  /// The pull and the push beside it both wait: the phase before is that of the run, and not the pause that the other told.
  @Test func aPauseOfTwoTasksEnds() {
    let hub = ProgressHub()
    hub.begin()
    hub.pause()
    hub.pause()
    hub.resume()
    #expect(hub.current.phase == .paused)
    hub.tell(.removing)
    #expect(hub.current.phase == .paused)
    hub.resume()
    #expect(hub.current.phase == .removing)
  }
}
