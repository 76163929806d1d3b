/// The relation of a live result to the database.
public enum LiveState: Sendable {
  /// The first rows are being read, or the result was not observed yet.
  case loading
  /// The result equals a fresh SELECT at the commit that it names.
  case current
  /// The result or its database is suspended. The rows are the rows of the named commit.
  case suspended
  /// The result could not be read. The rows are the last that were read. `retry()`, or the next commit that concerns
  /// them, tries again.
  case failed(any Error)
}

extension LiveState {
  /// Whether the result equals a fresh SELECT at the commit that it names.
  public var isCurrent: Bool {
    if case .current = self { true } else { false }
  }

  /// The error of a failed result; nil in all other states.
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }
}

/// When a live result begins to read.
public enum LiveStart: Hashable, Sendable {
  /// At the first access of the result. Its creation does no work, because SwiftUI creates views and their values many
  /// times.
  case whenObserved
  /// Before the call returns, on the calling thread, so that a first frame is not empty. Only this makes live results
  /// read on the main thread.
  case immediate
}
