import Sanderling
import Foundation

/// A terminal whose screen a test reads, and on whose keyboard a test types.
final class PseudoTerminal: Sendable {
  struct Failure: Error {
    let call: String
  }

  /// The device that the program under test writes to.
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
    try resize(columns: columns, rows: rows)
    // The screen must be read, because the program waits when the terminal's buffer is full.
    Thread.detachNewThread { [self] in
      var bytes = [UInt8](repeating: 0, count: 65536)
      while true {
        // The call fails after the last program has closed the device. FileHandle would wait until the whole buffer is
        // filled.
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { break }
        written.withLock { $0.data.append(contentsOf: bytes[..<count]) }
      }
      written.withLock { $0.isComplete = true }
    }
  }

  /// The number of rows of the window.
  var rowCount: Int {
    var size = winsize()
    return ioctl(device.fileDescriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_row) : 0
  }

  /// Changes the size of the window.
  func resize(columns: UInt16, rows: UInt16) throws {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(device.fileDescriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw Failure(call: "ioctl") }
  }

  /// Unlocks the device of a pseudoterminal, and returns its path.
  private static func deviceName(_ descriptor: Int32) throws -> String {
    #if canImport(Darwin)
      guard grantpt(descriptor) == 0, unlockpt(descriptor) == 0, let name = ptsname(descriptor) else {
        throw Failure(call: "ptsname")
      }
      return String(cString: name)
    #else
      // TIOCSPTLCK and TIOCGPTN do the work of unlockpt and ptsname, which glibc's module leaves out.
      var isLocked: Int32 = 0
      var number: UInt32 = 0
      guard ioctl(descriptor, 0x4004_5431, &isLocked) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0 else {
        throw Failure(call: "ioctl")
      }
      return "/dev/pts/\(number)"
    #endif
  }

  /// Types keys.
  func type(_ keys: String) throws {
    try screen.write(contentsOf: Data(keys.utf8))
  }

  /// Waits until the last drawn frame satisfies a condition.
  ///
  /// - Returns: The frame's lines without control sequences; nil if no such frame appears within five minutes.
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

  /// Whether a program has written anything.
  var hasText: Bool { written.withLock { !$0.data.isEmpty } }

  /// Closes the device, and returns everything that was written.
  func allText() throws -> String {
    try device.close()
    while !written.withLock(\.isComplete) { Thread.sleep(forTimeInterval: 0.001) }
    return String(decoding: written.withLock(\.data), as: UTF8.self)
  }
}
