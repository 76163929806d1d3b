import Foundation

/// Reads fields that each end with NUL.
struct FieldReader {
  private let buffer: UnsafeRawBufferPointer
  var position = 0

  /// - Parameter buffer: Must stay valid as long as the reader and its fields are used.
  init(_ buffer: UnsafeRawBufferPointer) {
    self.buffer = buffer
  }

  /// The next byte, or nil at the end.
  var peek: UInt8? {
    position < buffer.count ? buffer[position] : nil
  }

  mutating func skip() {
    position += 1
  }

  /// Returns the bytes up to the next NUL, and moves past it. Nil if there is no further NUL.
  mutating func field() -> UnsafeRawBufferPointer? {
    guard position < buffer.count, let base = buffer.baseAddress,
      let end = memchr(base + position, 0, buffer.count - position)
    else { return nil }
    let start = base + position
    let count = UnsafeRawPointer(end) - start
    position += count + 1
    return UnsafeRawBufferPointer(start: start, count: count)
  }
}
