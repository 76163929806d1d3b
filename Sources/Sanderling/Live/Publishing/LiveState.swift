/// How a live result stands to the database.
public enum LiveState: Sendable {
  /// Its first rows are being read, or it was not observed yet.
  case loading
  /// It equals the result of a fresh SELECT at the commit that it names.
  case current
  /// The result or its database is suspended. The rows are those of the named commit.
  case suspended
  /// It could not be read. The rows are the last that could; `retry()`, or the next commit that concerns them, tries again.
  case failed(any Error)
}

extension LiveState {
  /// Whether the result equals a fresh SELECT at the commit that it names.
  public var isCurrent: Bool {
    if case .current = self { true } else { false }
  }

  /// Why the result could not be read; nil in all other states.
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }
}

/// When a live result begins to read.
public enum LiveStart: Hashable, Sendable {
  /// When it is first accessed. Creating it does no work: SwiftUI creates views and their values many times over.
  case whenObserved
  /// Before the call returns, on the calling thread, so that a first frame is not empty. The one way in which live
  /// results read on the main thread.
  case immediate
}
