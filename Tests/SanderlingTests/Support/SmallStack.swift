import Foundation

/// Runs a closure on a thread with the stack that systems give to threads other than the main one: 512 kB.
///
/// A deeper recursion crashes the process.
func withSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
    thread.stackSize = 512 * 1024
    thread.start()
  }
}
