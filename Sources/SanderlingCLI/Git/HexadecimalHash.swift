import Foundation
import SanderlingSQL

extension Data {
  /// Reads a commit's hash; nil for other texts.
  init?(hexadecimal text: UnsafeRawBufferPointer) {
    guard text.count == 40 || text.count == 64, let bytes = text.decodedHexadecimal else { return nil }
    self.init(bytes)
  }
}
