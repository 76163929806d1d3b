/// What is asked of the engine, or told to it. Commands are carried out in the order in which they were sent, in the next turn.
enum LiveCommand: Sendable {
  /// Makes a consumer, which begins to follow what it asks for.
  case attach(LiveConsumerID, @Sendable () -> any QueryConsumer)
  case detach(LiveConsumerID)
  /// Puts consumers that follow something else in the place of some, all of which are told of it together.
  case replace([LiveReplacement])
  case resize(LiveConsumerID, Int)
  case suspend(LiveConsumerID)
  case resume(LiveConsumerID)
  case retry(LiveConsumerID)
  /// Reads again what could not be read.
  case retryAll
  case explain(LiveInquiry)
  /// A reader has read a query, or failed.
  case loadEnded(LoadReport)
  /// A reader has read all that it was given.
  case readerEnded
  /// The live results were compared that a turn left to its reader.
  case auditEnded(at: Int, after: Duration)
  /// The writer has done what it was asked for.
  case captureAnswered(Result<CaptureState?, any Error>)
  /// Keeps all consumers as they are until the hold ends, and answers once they are.
  case hold(UInt64, @Sendable () -> Void)
  case endHold(UInt64)
  /// The store was closed.
  case close
  /// Tells how many different queries are followed. For tests.
  case countQueries(@Sendable (Int) -> Void)
}

/// A consumer that follows something else than the one with its identity, whose place it takes.
struct LiveReplacement: Sendable {
  let id: LiveConsumerID
  let make: @Sendable () -> any QueryConsumer
}

/// How reading a query ended.
struct LoadReport: Sendable {
  let load: LiveLoad
  let outcome: Result<Void, any Error>
  let duration: Duration
  /// The state of the database that it was read in.
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
    /// What is replaced in this turn of the main actor: sent when it is over, or before another command.
    var held: [LiveReplacement] = []
    /// How many commands were sent, and how many of them turns have taken.
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

  /// Keeps what is replaced until ``sendHeld()`` or another command.
  ///
  /// - Returns: Whether nothing was kept before.
  func hold(_ replacements: [LiveReplacement]) -> Bool {
    state.withLock { state in
      defer { state.held += replacements }
      return state.held.isEmpty
    }
  }

  /// - Returns: Whether anything was kept.
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
