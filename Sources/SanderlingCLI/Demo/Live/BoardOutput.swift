import Foundation
import SanderlingTerminal

/// The place where the live board is shown.
enum BoardOutput: Hashable, Sendable {
  case none
  /// The board is drawn on the terminal's alternate screen.
  case screen
  /// A line of totals is written to standard error each second.
  case lines

  /// - Parameters:
  ///   - isReserved: Whether standard output or the terminal has another use.
  init(isQuiet: Bool, isReserved: Bool, environment: [String: String]) {
    if isQuiet {
      self = .none
    } else {
      self = !isReserved && TerminalScreen.isAvailable(environment: environment) ? .screen : .lines
    }
  }

  /// The time between two drawings.
  private var interval: Duration {
    switch self {
    case .none, .lines: .seconds(1)
    case .screen: .seconds(1) / 30
    }
  }

  /// Shows a board while a function runs.
  ///
  /// - Parameter title: Returns the current title.
  func show<Value: Sendable>(
    _ board: LiveBoard, style: TextStyle, title: @escaping @Sendable () -> String,
    while work: () async throws -> Value
  ) async throws -> Value {
    let drawing = Task { await draw(board, style, title) }
    if self == .screen { TerminalScreen.enter() }
    defer { TerminalScreen.leave() }
    do {
      let value = try await work()
      drawing.cancel()
      await drawing.value
      return value
    } catch {
      drawing.cancel()
      await drawing.value
      throw error
    }
  }

  private func draw(_ board: LiveBoard, _ style: TextStyle, _ title: @Sendable () -> String) async {
    guard self != .none else { return }
    while (try? await Task.sleep(for: interval)) != nil {
      let frame = await board.frame
      if self == .screen {
        TerminalScreen.draw(frame.lines(title: title(), size: TerminalScreen.size, style: style))
      } else {
        ProgressOutput.write("\(title()): \(frame.summary)\n")
      }
    }
  }
}
