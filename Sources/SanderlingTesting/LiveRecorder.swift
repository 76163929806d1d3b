import Synchronization
public import Sanderling

/// Collects the values that a live result delivers, for a test to check one by one.
///
/// ```swift
/// let recorder = LiveRecorder(of: store.snapshots(of: TodoTask.order { $0.title }), in: store)
/// #expect(try await recorder.next().elements.map(\.title) == ["dig"])
/// try await store.write("add") { try $0.insert(sow) }
/// #expect(try await recorder.next().elements.map(\.title) == ["dig", "sow"])
/// #expect(await recorder.rest().isEmpty)
/// ```
///
/// Never waits for time to pass: ``next()`` and ``rest()`` wait until all commits are delivered, and then know all values. Commits that
/// follow each other without such a wait may arrive as one value, as everywhere.
///
/// Recording ends when the recorder is released.
public final class LiveRecorder<Value: Sendable>: Sendable {
  private let recording: Recording<Value>
  /// Returns when every commit is recorded.
  private let settle: @Sendable () async -> Void
  private let stop: @Sendable () -> Void

  init(
    _ recording: Recording<Value>, settle: @escaping @Sendable () async -> Void,
    stop: @escaping @Sendable () -> Void
  ) {
    self.recording = recording
    self.settle = settle
    self.stop = stop
  }

  deinit {
    stop()
  }

  /// All values that are recorded so far, whether they were asked for or not.
  ///
  /// A value that the store has just published may be missing, also after `store.settled()`, because the recorder's own task must still take
  /// it. ``allValues()`` waits for that task.
  public var values: [Value] { recording.values }

  /// All values, whether they were asked for or not, once everything that was committed is delivered.
  ///
  /// ```swift
  /// #expect(await recorder.allValues().map(\.value) == [0, 1])
  /// ```
  public func allValues() async -> [Value] {
    await settle()
    return recording.values
  }

  /// The next value that was not asked for yet.
  ///
  /// - Throws: ``LiveRecorderError/nothingCame(recorded:)`` when there is none although everything that was committed
  ///   is delivered; `CancellationError`.
  public func next() async throws -> Value {
    if let value = recording.take() { return value }
    await settle()
    if let value = recording.take() { return value }
    try Task.checkCancellation()
    throw LiveRecorderError.nothingCame(recorded: recording.values.count)
  }

  /// All values that were not asked for yet, once everything that was committed is delivered.
  public func rest() async -> [Value] {
    await settle()
    return recording.takeAll()
  }

  /// The next value that satisfies a condition; those before it are passed over.
  ///
  /// For changes that no one can wait for, as a write in a task that the tested code starts. Waits without end: give such a
  /// test a time limit.
  ///
  /// - Throws: The errors of the condition; ``LiveRecorderError/ended(recorded:)``; `CancellationError`.
  public func first(where condition: @Sendable (Value) throws -> Bool) async throws -> Value {
    while true {
      while let value = recording.take() {
        if try condition(value) { return value }
      }
      try await recording.waitForMore()
    }
  }
}

extension LiveRecorder {
  /// Records a sequence: `snapshots`, `changes` or `readings` of a live result, or those that a store makes.
  ///
  /// - Parameter store: The store that the sequence follows.
  public convenience init<Source: AsyncSequence & Sendable>(
    of sequence: Source, in store: Store
  ) where Source.Element == Value, Source.Failure == Never {
    let recording = Recording<Value>()
    let executor = RecordingExecutor()
    let task = Task(executorPreference: executor) {
      for await value in sequence { recording.append(value) }
      recording.end()
    }
    self.init(
      recording,
      settle: {
        // The sequence starts to follow its result when the task first asks for a value.
        await executor.idle()
        await store.settled()
        await executor.idle()
      },
      stop: { task.cancel() })
  }

  /// Records the result of a closure on the main actor, at first and whenever an `@Observable` value that it read changes, as a view would
  /// show it.
  ///
  /// ```swift
  /// let recorder = LiveRecorder(in: store) { model.titles }
  /// ```
  ///
  /// - Parameter store: The store that the observed values follow.
  @MainActor
  public convenience init(in store: Store, observing read: @escaping @MainActor () -> Value) {
    let recording = Recording<Value>()
    let observation = RecordedObservation(recording, read)
    observation.begin()
    self.init(
      recording,
      settle: {
        await store.settled()
        await observation.catchUp()
      },
      stop: { observation.stop() })
  }
}

/// Why a recorder has no value to give.
public enum LiveRecorderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Every commit was delivered and led to no further value.
  case nothingCame(recorded: Int)
  /// The recorded sequence ended.
  case ended(recorded: Int)

  public var description: String {
    switch self {
    case .nothingCame(let count):
      "No value came after \(Self.counted(count)), although all commits so far are delivered. Await a write that "
        + "changes the result before next(); use first(where:) for a write that can't be awaited."
    case .ended(let count):
      "The recorded sequence ended after \(Self.counted(count)): the task that iterates it was cancelled."
    }
  }

  private static func counted(_ count: Int) -> String {
    count == 1 ? "1 recorded value" : "\(count) recorded values"
  }
}
