import Foundation

/// What ends a command with a message and exit code 1. Each message says what to do.
protocol CommandError: LocalizedError, CustomStringConvertible, Sendable {}

extension CommandError {
  var errorDescription: String? { description }
}
