/// A question to a long list. The query answers it at a snapshot, in some cases only after all rows are counted.
struct LongInquiry<Element: Sendable>: Sendable {
  enum Question: Sendable {
    /// The number of all rows.
    case count
    /// The position of the row with a key.
    case position(RowKey)
    /// The rows at a range of positions.
    case rows(Range<Int>)
    /// Shows the rows that begin at a place, with the given number of visible rows.
    case show(Place, visible: Int)
  }

  enum Place: Sendable {
    case end
    case key(RowKey)
    /// The first row that doesn't sort before the values.
    case values([StorageValue])
  }

  struct Answer: Sendable {
    /// A count, or a position.
    var number = 0
    /// The first shown position, and the inquiry that chose it: see ``LongContent/jump``.
    var jump: (inquiry: UInt64, first: Int) = (0, 0)
    var rows: [Element] = []
    /// The number of all rows, if they are counted.
    var count: Int?
  }

  let id: UInt64
  let question: Question
  let answer: @Sendable (Result<Answer, any Error>) -> Void
}

/// The inquiries of one list. Each ends with the query's answer or failure, with the end of the list's consumer, or
/// with the cancellation of the waiting task.
final class LongInquiries<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [LongInquiry<Element>] = []
    var lastID: UInt64 = 0
    /// Inquiries that have an ID and don't wait yet, and whether each was cancelled.
    var coming: [UInt64: Bool] = [:]
  }

  /// Guards the waiting inquiries. No answer is delivered while the lock is held.
  private let state = Lock(State())

  var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

  var all: [LongInquiry<Element>] { state.withLock { $0.waiting } }

  /// Asks a question and waits for the answer.
  ///
  /// - Parameter wake: Makes the query process the waiting inquiries.
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

  /// Delivers the answer of an inquiry, unless it was cancelled.
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
