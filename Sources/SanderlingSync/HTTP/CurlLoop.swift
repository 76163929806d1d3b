#if canImport(Glibc) && (arch(x86_64) || arch(arm64))
  import Foundation
  import Sanderling

  /// All requests of a process over libcurl, on one thread.
  ///
  /// The first request creates the loop and its thread. Both live as long as the process and sleep while no request
  /// runs. Connections are kept for later requests to the same host.
  final class CurlLoop: HTTPTransport {
    /// Nil if libcurl can't be loaded.
    static let shared: CurlLoop? = CurlFunctions().flatMap { CurlLoop($0) }

    private struct Queue {
      var lastNumber = 0
      var starting: [(number: Int, request: HTTPWireRequest, transfer: HTTPTransfer)] = []
      var cancelled: Set<Int> = []
    }

    private let curl: CurlFunctions
    private let multi: Int
    /// Guards the thread's next work.
    private let queue = Lock(Queue())

    /// The interval in milliseconds at which the thread checks for silent servers.
    private static let interval: Int32 = 500
    private static let longestSleep: Int32 = 3_600_000
    /// The flag that initialises all parts of libcurl.
    private static let everything = 3
    /// The kind of message that reports the end of a transfer.
    private static let isDone: Int32 = 1

    private init?(_ curl: CurlFunctions) {
      guard curl.initialize(Self.everything) == 0 else { return nil }
      multi = curl.makeMulti()
      self.curl = curl
      if multi == 0 { return nil }
      Thread.detachNewThread { [self] in run() }
    }

    func start(_ request: HTTPWireRequest, _ transfer: HTTPTransfer) -> @Sendable () -> Void {
      let number = queue.withLock { queue in
        queue.lastNumber += 1
        queue.starting.append((queue.lastNumber, request, transfer))
        return queue.lastNumber
      }
      _ = curl.wakeUp(multi)
      return { [self] in
        queue.withLock { _ = $0.cancelled.insert(number) }
        _ = curl.wakeUp(multi)
      }
    }

    // MARK: The thread

    private func run() {
      var running: [Int: CurlTransfer] = [:]
      while true {
        let (starting, cancelled) = queue.withLock { queue in
          defer { (queue.starting, queue.cancelled) = ([], []) }
          return (queue.starting, queue.cancelled)
        }
        for (number, request, transfer) in starting {
          guard let started = CurlTransfer(number, request, transfer, curl) else {
            transfer.end("libcurl refuses the request")
            continue
          }
          running[started.handle] = started
          _ = curl.add(multi, started.handle)
        }
        if !cancelled.isEmpty {
          for transfer in running.values where cancelled.contains(transfer.number) {
            end(transfer, "the request was cancelled", &running)
          }
        }
        var count: Int32 = 0
        _ = curl.perform(multi, &count)
        while let message = curl.readMessage(multi, &count) {
          // The kind, the handle, and the result.
          guard message.load(as: Int32.self) == Self.isDone,
            let transfer = running[message.load(fromByteOffset: 8, as: Int.self)]
          else { continue }
          end(transfer, transfer.problem(message.load(fromByteOffset: 16, as: Int32.self)), &running)
        }
        for transfer in running.values where transfer.isSilent {
          end(transfer, "the server was silent for too long", &running)
        }
        _ = curl.poll(multi, 0, 0, running.isEmpty ? Self.longestSleep : Self.interval, 0)
      }
    }

    private func end(_ transfer: CurlTransfer, _ problem: String?, _ running: inout [Int: CurlTransfer]) {
      _ = curl.remove(multi, transfer.handle)
      running.removeValue(forKey: transfer.handle)
      transfer.end(problem)
    }
  }
#endif
