import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

@Suite struct ProgressHubTests {
  /// The last state that a listener receives is the hub's last state, if several tasks report states at once.
  @Test func listenersReceiveTheLatestStateLast() async throws {
    for _ in 0..<500 {
      let hub = ProgressHub()
      let updates = hub.listen()
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        for _ in 0..<20 { hub.tell(number.isMultiple(of: 2) ? .pulling : .removing) }
      }
      // The stream buffers one state: the newest.
      hub.close()
      var last: SyncProgress?
      for await update in updates { last = update }
      try #require(last == hub.current)
    }
  }

  /// A listener that is added while states arrive receives the newest state last.
  @Test func newListenersGetTheLatestState() async throws {
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

  /// After the pull and the push beside it both paused and resumed, the phase is the run's last phase, and not a pause.
  @Test func pauseOfTwoTasksEndsWithTheLastResume() {
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
