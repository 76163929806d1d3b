/// A request or report to the engine. The next turn carries out all commands in the order in which they were sent.
enum LiveCommand: Sendable {
  /// Makes a consumer, which begins to follow its query.
  case attach(LiveConsumerID, @Sendable () -> any QueryConsumer)
  case detach(LiveConsumerID)
  /// Replaces consumers by others with other queries. All of them get their first values together.
  case replace([LiveReplacement])
  case resize(LiveConsumerID, Int)
  case suspend(LiveConsumerID)
  case resume(LiveConsumerID)
  case retry(LiveConsumerID)
  /// Reads all failed queries again.
  case retryAll
  case explain(LiveInquiry)
  /// A reader has read a query, or failed.
  case loadEnded(LoadReport)
  /// A reader has finished all of its loads.
  case readerEnded
  /// A round of checks ended.
  case auditEnded(at: Int, after: Duration)
  /// The writer answered a capture goal.
  case captureAnswered(Result<CaptureState?, any Error>)
  /// Freezes all consumers until the hold ends, and answers once they are frozen.
  case hold(UInt64, @Sendable () -> Void)
  case endHold(UInt64)
  /// The store was closed.
  case close
  /// Reports the number of different followed queries. For tests.
  case countQueries(@Sendable (Int) -> Void)
}

/// A consumer that takes the place of the consumer with the same identity, and follows another query.
struct LiveReplacement: Sendable {
  let id: LiveConsumerID
  let make: @Sendable () -> any QueryConsumer
}

/// The result of a load.
struct LoadReport: Sendable {
  let load: LiveLoad
  let outcome: Result<Void, any Error>
  let duration: Duration
  /// The state of the database in which the query was read.
  let mark: SnapshotMark?
}

/// The question how a query would be followed.
struct LiveInquiry: Sendable {
  let key: LiveQueryKey
  let answer: @Sendable (Result<LiveExplanation, any Error>) -> Void
}

/// The commands that were sent and not carried out yet.
final class CommandQueue: Sendable {
  private struct State {
    var commands: [LiveCommand] = []
    /// Replacements of this turn of the main actor. They are sent at its end, or before another command.
    var held: [LiveReplacement] = []
    /// The number of sent commands.
    var sentCount = 0
    var takenCount = 0

    mutating func send(_ command: LiveCommand) {
      commands.append(command)
      sentCount += 1
    }

    @discardableResult
    mutating func sendHeld() -> Bool {
      if held.isEmpty { return false }
      send(.replace(held))
      held = []
      return true
    }
  }

  /// Guards the commands. Held while they are added or taken.
  private let state = Lock(State())

  func send(_ command: LiveCommand) {
    state.withLock { state in
      state.sendHeld()
      state.send(command)
    }
  }

  /// Keeps replacements until ``sendHeld()`` or another command.
  ///
  /// - Returns: Whether no replacement was kept before.
  func hold(_ replacements: [LiveReplacement]) -> Bool {
    state.withLock { state in
      defer { state.held += replacements }
      return state.held.isEmpty
    }
  }

  /// Sends the kept replacements.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  func sendHeld() -> Bool { state.withLock { $0.sendHeld() } }

  func takeAll() -> [LiveCommand] {
    state.withLock { state in
      defer { state.commands = [] }
      state.takenCount = state.sentCount
      return state.commands
    }
  }

  var isEmpty: Bool { state.withLock { $0.commands.isEmpty } }
  var sentCount: Int { state.withLock { $0.sentCount } }
  var takenCount: Int { state.withLock { $0.takenCount } }
}
