import Foundation

/// A process with a device.
final class DeviceProcess {
  private let process = Process()
  private let output = Pipe()

  /// - Parameter executable: The fuzzer's executable.
  init(_ settings: DeviceSettings, seed: UInt64, steps: Int, executable: URL) throws {
    process.executableURL = executable
    process.arguments =
      [
        "sync-device", settings.path, "--name", settings.name, "--port", "\(settings.port)", "--rule",
        settings.rule.rawValue, "--conflicts", settings.policy.rule, "--deletions", settings.policy.deletion, "--skew",
        "\(settings.skew)", "--seed", "\(seed)", "--steps", "\(steps)",
      ] + (settings.isNew ? ["--new"] : []) + (settings.isFollowing ? ["--following"] : [])
      + (settings.access.map { ["--server", $0.kind.rawValue] } ?? [])
    var environment = Process.environmentOfChild
    if let access = settings.access { environment[ServerAccess.secretName] = access.secret }
    process.environment = environment
    process.standardOutput = output
    try process.run()
    // The parent's copy is closed, so that reading ends with the process.
    try output.fileHandleForWriting.close()
  }

  var isRunning: Bool { process.isRunning }

  /// Waits until the process reports that it has started.
  func waitForLine() { _ = output.fileHandleForReading.availableData }

  func pause() { process.send(SIGSTOP) }

  func resume() { process.send(SIGCONT) }

  /// Kills the process. It has ended when this returns.
  func kill() {
    process.send(SIGKILL)
    process.waitUntilExit()
  }

  /// Waits until the process ends.
  ///
  /// - Returns: The problem that the process reported; nil if it did all its steps or was killed.
  func complaint() -> String? {
    process.waitUntilExit()
    if process.terminationReason == .exit, process.terminationStatus == 0 { return nil }
    if process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL { return nil }
    // Does not read to the end of the pipe: a process that was started meanwhile may have inherited it.
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return text.isEmpty ? "it ended with \(process.terminationStatus)" : text
  }
}
