/// Memory for folding texts one after the other. Holds the fold of the last text.
///
/// The memory grows to the longest text. A buffer belongs to one thread at a time.
final class FoldBuffer {
  private var pass = FoldPass()

  init() {}

  deinit {
    pass.deallocate()
  }

  /// The number of bytes of the last fold.
  var byteCount: Int { pass.count }

  /// Passes the last fold to the body, in valid UTF-8. The address is valid only in the body.
  func withFolded<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try body(UnsafeBufferPointer(start: pass.output, count: pass.count))
  }

  /// Folds a text: see `TextFold`. O(bytes).
  func fold(_ bytes: UnsafeBufferPointer<UInt8>) {
    var recorder = NoRecorder()
    pass.fold(bytes, &recorder)
  }

  /// Folds a text and reports the origin of each part of the fold to the recorder. O(bytes).
  func fold<Recorder: FoldRecorder>(_ bytes: UnsafeBufferPointer<UInt8>, _ recorder: inout Recorder) {
    pass.fold(bytes, &recorder)
  }
}
