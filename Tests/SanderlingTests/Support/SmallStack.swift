import Foundation

/// Runs a closure on a thread with a stack of 512 kB, the size that systems give to threads other than the main one.
///
/// A deeper recursion crashes the process.
func withSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
    thread.stackSize = 512 * 1024
    thread.start()
  }
}
