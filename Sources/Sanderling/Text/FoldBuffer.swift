/// Memory for folding one text after the other, with the fold of the last one.
///
/// It grows to the longest text. It belongs to one thread at a time.
final class FoldBuffer {
  private var pass = FoldPass()

  init() {}

  deinit {
    pass.deallocate()
  }

  /// The number of bytes of the fold.
  var byteCount: Int { pass.count }

  /// Gives the body the fold, in valid UTF-8, whose address must not leave it.
  func withFolded<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try body(UnsafeBufferPointer(start: pass.output, count: pass.count))
  }

  /// Folds a text: see `TextFold`. O(bytes).
  func fold(_ bytes: UnsafeBufferPointer<UInt8>) {
    var recorder = NoRecorder()
    pass.fold(bytes, &recorder)
  }

  /// Folds a text and tells the recorder where each part of the fold comes from. O(bytes).
  func fold<Recorder: FoldRecorder>(_ bytes: UnsafeBufferPointer<UInt8>, _ recorder: inout Recorder) {
    pass.fold(bytes, &recorder)
  }
}
