import Foundation
import Sanderling
import SanderlingSync

/// A device's connection to the fuzzer's server. Each request opens a socket of its own.
struct DeviceConnection: SyncSource, SyncSink {
  let port: UInt16
  let knowsNumbers: Bool
  /// The greatest number of changes in a page.
  var pageSize = 20
  /// The number of further polls once all changes are known, like a source that follows changes as they happen.
  var followingCount = 0

  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    Batches(connection: self, cursor: cursor, followingCount: followingCount)
  }

  func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
    let answer = try await ask(WireRequest(push: mutations.map { try WireMutation($0) }))
    if let milliseconds = answer.retryAfter {
      return mutations.map { _ in .failed("the server is busy", retryAfter: .milliseconds(milliseconds)) }
    }
    guard let outcomes = answer.outcomes else { throw WireError.malformed }
    return outcomes.map(\.outcome)
  }

  fileprivate func page(after cursor: String?) async throws -> WireAnswer.Batch {
    let answer = try await ask(WireRequest(pull: .init(cursor: cursor, limit: pageSize)))
    if answer.retryAfter != nil { throw WireError.unavailable }
    guard let batch = answer.batch else { throw WireError.malformed }
    return batch
  }

  private func ask(_ request: WireRequest) async throws -> WireAnswer {
    let message = try WireCoding.data(request)
    // Socket calls block, which the threads of tasks must not do.
    let answer: Data = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { [port] in
        continuation.resume(
          with: Result {
            let socket = try WireSocket.connecting(to: port)
            defer { socket.end() }
            try socket.send(message)
            return try socket.message()
          })
      }
    }
    return try WireCoding.value(WireAnswer.self, answer)
  }

  private struct Batches: AsyncSequence, AsyncIteratorProtocol {
    typealias Failure = any Error
    let connection: DeviceConnection
    var cursor: String?
    var followingCount: Int
    var isAtEnd = false

    func makeAsyncIterator() -> Self { self }

    mutating func next() async throws -> SyncBatch? {
      if isAtEnd { return nil }
      let page = try await connection.page(after: cursor)
      cursor = page.cursor
      if !page.hasMore {
        isAtEnd = followingCount == 0
        followingCount -= 1
        if !isAtEnd { try await Task.sleep(for: .milliseconds(2)) }
      }
      return SyncBatch(
        page.changes.map(\.change), cursor: page.cursor, isCheckpoint: !page.hasMore, restarts: page.restarts)
    }
  }
}
