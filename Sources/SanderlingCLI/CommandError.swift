import Foundation

/// An error that ends a command with a message and exit code 1. Each message names the remedy.
protocol CommandError: LocalizedError, CustomStringConvertible, Sendable {}

extension CommandError {
  var errorDescription: String? { description }
}
