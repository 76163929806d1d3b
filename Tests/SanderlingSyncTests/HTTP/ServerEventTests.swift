import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

@Suite struct ServerEventTests {
  /// The parser reads the examples of the standard for server-sent events, with each kind of line end. The bytes arrive
  /// in pieces of several sizes.
  @Test func streamsAreReadByTheStandard() throws {
    let text =
      "\u{FEFF}: comment\n\ndata: YHOO\ndata: +2\r\ndata: 10\r\r\nevent: add\rdata:first\nid: 1\n\ndata:  second\nid\n\n"
      + "data\n\ndata\ndata\n\nretry: 250\nretry: x1\nevent: lost\n\nid: a\0b\ndata: last\n\ndata: unfinished"
    let expected = [
      ServerEvent(type: "message", data: "YHOO\n+2\n10", id: ""), ServerEvent(type: "add", data: "first", id: "1"),
      ServerEvent(type: "message", data: " second", id: ""), ServerEvent(type: "message", data: "", id: ""),
      ServerEvent(type: "message", data: "\n", id: ""), ServerEvent(type: "message", data: "last", id: ""),
    ]
    let bytes = Array(text.utf8)
    for size in [1, 2, 3, 7, bytes.count] {
      var parser = EventParser(limit: 1000)
      var events: [ServerEvent] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        events += try parser.feed(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(events == expected, "pieces of \(size)")
      #expect(parser.retry == .milliseconds(250))
    }
  }

  @Test func linesAndEventsAreBounded() {
    var parser = EventParser(limit: 100)
    #expect(throws: EventParser.TooLong.self) { try parser.feed([UInt8](repeating: 65, count: 101)) }
    parser = EventParser(limit: 100)
    #expect(throws: EventParser.TooLong.self) {
      for _ in 0..<30 { _ = try parser.feed(Array("data: more\n".utf8)) }
    }
  }

  /// A source whose event stream breaks off reconnects after the last event, and reads the changes each time.
  @Test(.timeLimit(.minutes(10))) func brokenStreamReconnectsAfterItsLastEvent() async throws {
    let streams = Lock(0)
    let reads = Lock(0)
    let server = try ScriptedServer { _, request in
      if request.path == "/events" {
        let number = streams.withLock {
          $0 += 1
          return $0
        }
        return .raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: e\(number)\ndata: x\n\n")
      }
      let number = reads.withLock {
        $0 += 1
        return $0
      }
      return .json("[{\"id\":\(number),\"name\":\"f\",\"updated\":\(number)}]")
    }
    var options = HTTPOptions()
    options.clock = LeapingClock()
    var record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    record.since = HTTPSince(.field("updated", .unique), parameter: "since")
    let adapter = HTTPAdapter(
      try HTTPConnection(server.url, options: options), records: [record], follows: .events(HTTPEvents(path: "events")))
    var count = 0
    for try await batch in adapter.batches(after: nil) {
      count += batch.changes.count
      if count > 3, streams.withLock({ $0 }) > 2 { break }
    }
    let listens = server.requests.filter { $0.path == "/events" }
    #expect(listens[1].headers["last-event-id"] == "e1" && listens[2].headers["last-event-id"] == "e2")
    #expect(listens[0].headers["accept"] == "text/event-stream")
  }
}
