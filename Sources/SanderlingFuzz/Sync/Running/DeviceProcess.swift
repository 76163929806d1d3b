import Foundation

/// A process with a device.
final class DeviceProcess {
  private let process = Process()
  private let output = Pipe()

  /// - Parameter executable: The fuzzer's.
  init(_ settings: DeviceSettings, seed: UInt64, steps: Int, executable: URL) throws {
    process.executableURL = executable
    process.arguments =
      [
        "sync-device", settings.path, "--name", settings.name, "--port", "\(settings.port)", "--rule",
        settings.rule.rawValue, "--conflicts", settings.policy.rule, "--deletions", settings.policy.deletion, "--skew",
        "\(settings.skew)", "--seed", "\(seed)", "--steps", "\(steps)",
      ] + (settings.isNew ? ["--new"] : []) + (settings.isFollowing ? ["--following"] : [])
      + (settings.access.map { ["--server", $0.kind.rawValue] } ?? [])
    var environment = ProcessInfo.processInfo.environment
    // Who crashes would wait for it, and could be killed meanwhile, as if nothing had been.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    if let access = settings.access { environment[ServerAccess.secretName] = access.secret }
    process.environment = environment
    process.standardOutput = output
    try process.run()
    // So that reading ends with the process.
    try output.fileHandleForWriting.close()
  }

  var isRunning: Bool { process.isRunning }

  /// Waits until it says that it is at work.
  func waitForLine() { _ = output.fileHandleForReading.availableData }

  func pause() { kill(process.processIdentifier, SIGSTOP) }

  func resume() { kill(process.processIdentifier, SIGCONT) }

  /// Kills it. It is gone when this returns.
  func kill() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private func kill(_ number: Int32, _ signal: Int32) { _ = Foundation.kill(number, signal) }

  /// Waits for its end.
  ///
  /// - Returns: What it complained about; nil where it did all, or was killed.
  func complaint() -> String? {
    process.waitUntilExit()
    if process.terminationReason == .exit, process.terminationStatus == 0 { return nil }
    if process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL { return nil }
    // Not up to the end of the pipe, which a process that was started meanwhile may have got, too.
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return text.isEmpty ? "it ended with \(process.terminationStatus)" : text
  }
}
