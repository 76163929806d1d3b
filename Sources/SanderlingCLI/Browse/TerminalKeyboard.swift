import Foundation
import Sanderling

/// A key of a terminal.
enum TerminalKey: Hashable, Sendable {
  case up, down, pageUp, pageDown, home, end, enter, escape, backspace
  case character(Character)
}

/// Turns what a terminal sends into keys.
struct KeyDecoder {
  private var pending: [UInt8] = []

  /// The keys that some more bytes complete.
  mutating func keys(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
    pending += bytes
    var keys: [TerminalKey] = []
    while let (key, count) = next() {
      pending.removeFirst(count)
      if let key { keys.append(key) }
    }
    // An escape that nothing follows is the key itself: sequences come in one piece.
    if pending == [0x1B] {
      keys.append(.escape)
      pending = []
    }
    return keys
  }

  /// The next key, or nothing that matters, and how many bytes it takes.
  private func next() -> (TerminalKey?, Int)? {
    guard let first = pending.first else { return nil }
    switch first {
    case 0x1B: return sequence()
    case 0x0D, 0x0A: return (.enter, 1)
    case 0x7F, 0x08: return (.backspace, 1)
    case ..<0x20: return (nil, 1)
    default:
      let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      guard pending.count >= count else { return nil }
      return (String(validating: pending[..<count], as: UTF8.self)?.first.map { .character($0) }, count)
    }
  }

  /// `ESC [ … letter`, `ESC [ number ~` or `ESC O letter`.
  private func sequence() -> (TerminalKey?, Int)? {
    guard pending.count > 2, pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else { return nil }
    guard let end = pending[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
    let text = String(decoding: pending[2...end], as: UTF8.self)
    return (Self.keys[text], end + 1)
  }

  private static let keys: [String: TerminalKey] = [
    "A": .up, "B": .down, "H": .home, "F": .end, "5~": .pageUp, "6~": .pageDown, "1~": .home, "7~": .home,
    "4~": .end, "8~": .end,
  ]
}

/// The keyboard of a terminal, read key by key and without an echo until it is left.
enum TerminalKeyboard {
  /// Guards what the terminal's settings were; nil while they are as they were.
  private static let settings = Lock<termios?>(nil)

  /// Whether standard input is a terminal.
  static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 }

  /// Signals stay: Ctrl-C interrupts.
  static func enter() {
    settings.withLock { settings in
      var now = termios()
      guard settings == nil, tcgetattr(STDIN_FILENO, &now) == 0 else { return }
      settings = now
      now.c_lflag &= ~tcflag_t(ICANON | ECHO)
      _ = tcsetattr(STDIN_FILENO, TCSANOW, &now)
    }
  }

  /// Sets the terminal as it was. Can be called at any moment, from any thread.
  static func leave() {
    settings.withLock { settings in
      guard var before = settings.take() else { return }
      _ = tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }
  }

  /// The keys as they are pressed. Ends when the terminal is gone; the thread that reads them, soon after nobody waits for more.
  static var keys: AsyncStream<TerminalKey> {
    AsyncStream { continuation in
      let isOver = Lock(false)
      continuation.onTermination = { _ in isOver.withLock { $0 = true } }
      Thread.detachNewThread {
        var decoder = KeyDecoder()
        var bytes = [UInt8](repeating: 0, count: 256)
        while !isOver.withLock({ $0 }) {
          var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
          guard poll(&waiting, 1, 100) > 0 else { continue }
          let count = read(STDIN_FILENO, &bytes, bytes.count)
          guard count > 0 else { break }
          for key in decoder.keys(bytes[..<count]) { continuation.yield(key) }
        }
        continuation.finish()
      }
    }
  }
}
