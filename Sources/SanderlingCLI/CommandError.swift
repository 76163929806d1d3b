import Foundation

/// An error that ends a command with exit code 1. Its message says what to do.
protocol CommandError: LocalizedError, CustomStringConvertible, Sendable {}

extension CommandError {
  var errorDescription: String? { description }
}
