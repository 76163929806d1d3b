/// A question to a long list. Its query answers at a snapshot, in some cases only after all rows are counted.
struct LongInquiry<Element: Sendable>: Sendable {
  enum Question: Sendable {
    /// How many rows there are.
    case count
    /// Where the row with a key is.
    case position(RowKey)
    /// The rows at some positions.
    case rows(Range<Int>)
    /// Shows the rows from a place on, with a number of visible rows.
    case show(Place, visible: Int)
  }

  enum Place: Sendable {
    case end
    case key(RowKey)
    /// The first row that doesn't sort before these values.
    case values([StorageValue])
  }

  struct Answer: Sendable {
    /// A count, or a position.
    var number = 0
    /// The shown position, and the inquiry that chose it: see ``LongContent/jump``.
    var jump: (inquiry: UInt64, first: Int) = (0, 0)
    var rows: [Element] = []
    /// How many rows there are in all, if they were counted.
    var count: Int?
  }

  let id: UInt64
  let question: Question
  let answer: @Sendable (Result<Answer, any Error>) -> Void
}

/// The inquiries of one list. Callers make them. Each ends with the query's answer or failure, with the end of the
/// list's consumer, or with the cancellation of the waiting task.
final class LongInquiries<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [LongInquiry<Element>] = []
    var lastID: UInt64 = 0
    /// Inquiries with a number that don't wait yet, and whether they were cancelled.
    var coming: [UInt64: Bool] = [:]
  }

  /// Guards the waiting inquiries. No answer is given while it is held.
  private let state = Lock(State())

  var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

  var all: [LongInquiry<Element>] { state.withLock { $0.waiting } }

  /// Asks, and waits for the answer.
  ///
  /// - Parameter wake: Lets the query look at the waiting inquiries.
  func ask(_ question: LongInquiry<Element>.Question, wake: @Sendable () -> Void) async throws
    -> LongInquiry<Element>.Answer
  {
    let id = state.withLock { state in
      state.lastID += 1
      state.coming[state.lastID] = false
      return state.lastID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.coming.removeValue(forKey: id) ?? true { return true }
          state.waiting.append(LongInquiry(id: id, question: question) { continuation.resume(with: $0) })
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) } else { wake() }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: UInt64) {
    let waiting = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
        if state.coming[id] != nil { state.coming[id] = true }
        return LongInquiry<Element>?.none
      }
      return state.waiting.remove(at: index)
    }
    waiting?.answer(.failure(CancellationError()))
  }

  /// Answers one, unless it was cancelled.
  func end(_ inquiry: LongInquiry<Element>, with answer: Result<LongInquiry<Element>.Answer, any Error>) {
    let isWaiting = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.id == inquiry.id }) else { return false }
      state.waiting.remove(at: index)
      return true
    }
    if isWaiting { inquiry.answer(answer) }
  }

  func fail(_ error: any Error) {
    for inquiry in all { end(inquiry, with: .failure(error)) }
  }
}
