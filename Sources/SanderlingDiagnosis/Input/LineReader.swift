import Foundation

/// Splits bytes that arrive in pieces into lines, with at most one line in memory.
struct LineReader {
  enum Line: Hashable, Sendable {
    /// Invalid UTF-8 in it is replaced.
    case text(String, number: Int)
    case tooLong(number: Int)
  }

  private let limit: Int
  private var pending: [UInt8] = []
  private var number = 1
  private var isTooLong = false

  /// - Parameter limit: The greatest number of bytes in a line.
  init(limit: Int) {
    self.limit = limit
  }

  /// Takes bytes and passes on the lines that they complete. O(bytes).
  mutating func append(_ data: some Collection<UInt8>, _ body: (Line) -> Void) {
    var rest = data[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      take(rest[..<end])
      finishLine(body)
      rest = rest[rest.index(after: end)...]
    }
    take(rest)
  }

  /// Passes on the last line if no line break ends it.
  mutating func finish(_ body: (Line) -> Void) {
    if isTooLong || !pending.isEmpty { finishLine(body) }
  }

  private mutating func take(_ bytes: some Collection<UInt8>) {
    guard !isTooLong else { return }
    if pending.count + bytes.count > limit {
      isTooLong = true
      pending.removeAll()
    } else {
      pending += bytes
    }
  }

  private mutating func finishLine(_ body: (Line) -> Void) {
    if isTooLong {
      body(.tooLong(number: number))
    } else {
      if pending.last == UInt8(ascii: "\r") { pending.removeLast() }
      body(.text(String(decoding: pending, as: UTF8.self), number: number))
    }
    pending.removeAll(keepingCapacity: true)
    isTooLong = false
    number += 1
  }
}
