import Foundation

/// Walks through fields that each end with NUL.
struct FieldReader {
  private let buffer: UnsafeRawBufferPointer
  var position = 0

  /// - Parameter buffer: Valid as long as the reader and its fields are used.
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

  /// The bytes up to the next NUL, which is passed; nil when there is none yet.
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
