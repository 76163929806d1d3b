/// A request or report to the engine. The next turn carries out all commands, in the order in which they were sent.
enum LiveCommand: Sendable {
  /// Makes a consumer, which begins to follow its query.
  case attach(LiveConsumerID, @Sendable () -> any QueryConsumer)
  case detach(LiveConsumerID)
  /// Replaces consumers by new consumers with the same identities. The new consumers receive their values together.
  case replace([LiveReplacement])
  case resize(LiveConsumerID, Int)
  case suspend(LiveConsumerID)
  case resume(LiveConsumerID)
  case retry(LiveConsumerID)
  /// Tries again to read all failed queries.
  case retryAll
  case explain(LiveInquiry)
  /// A reader has read a query, or could not read it.
  case loadEnded(LoadReport)
  /// A reader has ended its work for a turn.
  case readerEnded
  /// A round of checks has ended: the number of the last checked query, and the duration of the checks.
  case auditEnded(at: Int, after: Duration)
  /// The writer has answered a request for capture.
  case captureAnswered(Result<CaptureState?, any Error>)
  /// Keeps all consumers unchanged until the hold ends. Calls the closure once the hold has begun.
  case hold(UInt64, @Sendable () -> Void)
  case endHold(UInt64)
  /// Notes that the store was closed.
  case close
  /// Counts the followed queries. Consumers with the same query count once. For tests.
  case countQueries(@Sendable (Int) -> Void)
}

/// A consumer that takes the place of the consumer with the same identity.
struct LiveReplacement: Sendable {
  let id: LiveConsumerID
  let make: @Sendable () -> any QueryConsumer
}

/// The end of a load.
struct LoadReport: Sendable {
  let load: LiveLoad
  let outcome: Result<Void, any Error>
  let duration: Duration
  /// The snapshot at which the query was read.
  let mark: SnapshotMark?
}

/// The question how a query would be followed.
struct LiveInquiry: Sendable {
  let key: LiveQueryKey
  let answer: @Sendable (Result<LiveExplanation, any Error>) -> Void
}

/// The commands that no turn has taken yet.
final class CommandQueue: Sendable {
  private struct State {
    var commands: [LiveCommand] = []
    /// The replacements of the main actor's present turn. They are sent at the end of that turn, or before another
    /// command.
    var held: [LiveReplacement] = []
    /// The number of commands that were sent so far, and the number of commands that turns have taken.
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

  /// Guards the commands. Held while commands are added or taken.
  private let state = Lock(State())

  func send(_ command: LiveCommand) {
    state.withLock { state in
      state.sendHeld()
      state.send(command)
    }
  }

  /// Keeps replacements until ``sendHeld()`` or another command.
  ///
  /// - Returns: Whether no replacements were kept before.
  func hold(_ replacements: [LiveReplacement]) -> Bool {
    state.withLock { state in
      defer { state.held += replacements }
      return state.held.isEmpty
    }
  }

  /// Sends the kept replacements.
  ///
  /// - Returns: Whether any replacements were kept.
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
