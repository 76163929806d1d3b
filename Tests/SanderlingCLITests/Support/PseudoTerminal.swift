import Sanderling
import Foundation

/// A terminal that a test looks at in place of a user.
final class PseudoTerminal: Sendable {
  struct Failure: Error {
    let call: String
  }

  /// The device that programs write to.
  let device: FileHandle
  private let screen: FileHandle
  /// Guards the bytes written so far, and whether they are complete.
  private let written = Lock((data: Data(), isComplete: false))

  init(columns: UInt16, rows: UInt16) throws {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard descriptor >= 0 else { throw Failure(call: "open") }
    screen = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let other = open(try Self.deviceName(descriptor), O_RDWR | O_NOCTTY)
    guard other >= 0 else { throw Failure(call: "open") }
    device = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(other, UInt(TIOCSWINSZ), &size) == 0 else { throw Failure(call: "ioctl") }
    // Somebody has to read, or the program waits.
    Thread.detachNewThread { [self] in
      var bytes = [UInt8](repeating: 0, count: 65536)
      while true {
        // Fails once the last program has closed the device. FileHandle would wait until all of the buffer is filled.
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { break }
        written.withLock { $0.data.append(contentsOf: bytes[..<count]) }
      }
      written.withLock { $0.isComplete = true }
    }
  }

  /// The path of the device that belongs to a pseudoterminal, which may be opened from then on.
  private static func deviceName(_ descriptor: Int32) throws -> String {
    #if canImport(Darwin)
      guard grantpt(descriptor) == 0, unlockpt(descriptor) == 0, let name = ptsname(descriptor) else {
        throw Failure(call: "ptsname")
      }
      return String(cString: name)
    #else
      // The work of unlockpt and ptsname, which glibc's module leaves out: TIOCSPTLCK and TIOCGPTN.
      var isLocked: Int32 = 0
      var number: UInt32 = 0
      guard ioctl(descriptor, 0x4004_5431, &isLocked) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0 else {
        throw Failure(call: "ioctl")
      }
      return "/dev/pts/\(number)"
    #endif
  }

  /// Presses keys.
  func type(_ keys: String) throws {
    try screen.write(contentsOf: Data(keys.utf8))
  }

  /// Waits until the last frame that was drawn satisfies a condition.
  ///
  /// - Returns: The frame's lines without what steers the terminal; nil when none comes in five minutes.
  func frame(where isRight: (String) -> Bool) -> String? {
    for _ in 0..<30_000 {
      let text = String(decoding: written.withLock(\.data), as: UTF8.self)
      if let last = text.components(separatedBy: "\u{1B}[H").last {
        let frame = last.replacing(#/\u{1B}\[[0-9;?]*[a-zA-Z]/#, with: "")
        if isRight(frame) { return frame }
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return nil
  }

  /// Whether anything was written.
  var hasText: Bool { written.withLock { !$0.data.isEmpty } }

  /// Everything, once no program can write any more.
  func allText() throws -> String {
    try device.close()
    while !written.withLock(\.isComplete) { Thread.sleep(forTimeInterval: 0.001) }
    return String(decoding: written.withLock(\.data), as: UTF8.self)
  }
}
