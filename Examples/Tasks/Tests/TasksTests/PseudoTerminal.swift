import Foundation

/// A terminal whose screen a test reads, and on whose keyboard a test types.
@MainActor
final class PseudoTerminal {
  struct Failure: Error {}

  /// The side that the program uses.
  let device: Int32
  private let screen: Int32
  private var written = Data()

  init(columns: UInt16, rows: UInt16) throws {
    screen = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard screen >= 0 else { throw Failure() }
    #if canImport(Darwin)
      guard grantpt(screen) == 0, unlockpt(screen) == 0, let name = ptsname(screen).map({ String(cString: $0) }) else {
        throw Failure()
      }
    #else
      // TIOCSPTLCK and TIOCGPTN do the work of unlockpt and ptsname, which glibc's module leaves out.
      var (isLocked, number): (Int32, UInt32) = (0, 0)
      guard ioctl(screen, 0x4004_5431, &isLocked) == 0, ioctl(screen, 0x8004_5430, &number) == 0 else {
        throw Failure()
      }
      let name = "/dev/pts/\(number)"
    #endif
    device = open(name, O_RDWR | O_NOCTTY)
    guard device >= 0 else { throw Failure() }
    resize(columns: columns, rows: rows)
  }

  deinit {
    close(device)
    close(screen)
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(device, UInt(TIOCSWINSZ), &size)
    raise(SIGWINCH)
  }

  /// The settings that the program changes.
  var flags: tcflag_t {
    var settings = termios()
    tcgetattr(device, &settings)
    return settings.c_lflag
  }

  func type(_ keys: String) { _ = keys.withCString { write(screen, $0, strlen($0)) } }

  /// Everything that the program wrote.
  var text: String {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var waiting = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, 0) > 0 {
      let count = read(screen, &bytes, bytes.count)
      guard count > 0 else { break }
      written.append(contentsOf: bytes[..<count])
    }
    return String(decoding: written, as: UTF8.self)
  }

  /// The last frame, without control sequences.
  var last: String {
    (text.components(separatedBy: "\u{1B}[H").last ?? "").replacing(#/\u{1B}\[[0-9;?]*[A-Za-z]/#, with: "")
  }

  /// Waits until the last frame satisfies a condition; nil after a minute.
  func frame(where isRight: (String) -> Bool) async -> String? {
    for _ in 0..<6_000 {
      let frame = last
      if isRight(frame) { return frame }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return nil
  }
}
