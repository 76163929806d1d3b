import Foundation

/// A process that shares the round's database.
///
/// The round starts it and kills it. If the round's process ends, the input of the process ends, and the process with it.
@MainActor
final class NeighbourProcess {
  let number: Int
  let kind: NeighbourKind
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  /// Writes the statements of the `sqlite3` shell; nil for the other kinds, which write by themselves.
  private var writes: PlainWrites?

  /// - Parameters:
  ///   - folder: The folder of the database.
  ///   - arguments: The arguments from which the process makes its case.
  ///   - acts: The seed of its writes.
  ///   - executable: The fuzzer's executable.
  init(
    _ kind: NeighbourKind, number: Int, folder: URL, seed: UInt64, round: Int, acts: UInt64, world: World,
    executable: URL
  ) throws {
    (self.kind, self.number) = (kind, number)
    process.environment = Process.environmentOfChild
    switch kind {
    case .store, .grdb:
      process.executableURL = executable
      process.arguments = [
        "neighbour", folder.path, "--kind", kind.rawValue, "--process", "\(number)", "--seed", "\(seed)", "--round",
        "\(round)", "--acts", "\(acts)",
      ]
    case .shell:
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["sqlite3", WorldDatabase.path(folder).path]
      process.standardError = FileHandle.nullDevice
      writes = PlainWrites(world, process: number, seed: acts)
    }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // The parent's copies are closed, so that reading ends with the process.
    try output.fileHandleForWriting.close()
    try input.fileHandleForReading.close()
    if kind == .shell {
      send(
        ".timeout 10000\nPRAGMA foreign_keys = \(world.configuration.enforcesForeignKeys ? "ON" : "OFF");\n"
          + "PRAGMA recursive_triggers = \(world.configuration.hasRecursiveTriggers ? "ON" : "OFF");\n"
          + "PRAGMA synchronous = OFF;\n.print ready\n")
    }
  }

  /// Whether the `sqlite3` shell is installed.
  static var hasShell: Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-version"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Waits until the process has opened the database.
  func waitUntilReady() async throws { try await expect("ready") }

  /// Gives the shell something to write. The other kinds write by themselves.
  func feed() {
    if let script = writes?.script() { send(script) }
  }

  // MARK: Signals

  func stop() { process.send(SIGSTOP) }

  func resume() { process.send(SIGCONT) }

  /// Kills the process. It has ended when this returns.
  func kill() async throws {
    process.send(SIGKILL)
    let process = TransferredProcess(process)
    try await onThread { process.process.waitUntilExit() }
  }

  // MARK: Commands

  /// Has the process end its transaction, and write nothing more.
  func pause() async throws {
    send(kind == .shell ? ".print paused\n" : "pause\n")
    try await expect("paused")
  }

  func go() { if kind != .shell { send("go\n") } }

  /// The difference between a live result of the process and a fresh SELECT; nil if there is none.
  func problem() async throws -> String? {
    guard kind == .store else { return nil }
    send("compare\n")
    let answer = try await line()
    return answer == "equal" ? nil : answer
  }

  private func send(_ text: String) {
    // A process that has ended takes nothing. The next expected line then finds the end of its output.
    try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  private func expect(_ text: String) async throws {
    while true {
      let line = try await line()
      if line == text { return }
      // The shell prints the rows of a checkpoint.
      if kind != .shell { throw failure("answered \(line) in place of \(text)") }
    }
  }

  private func line() async throws -> String {
    let output = output.fileHandleForReading.fileDescriptor
    let line: String? = try await onThread {
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while read(output, &byte, 1) == 1 {
        if byte == 10 { return String(decoding: bytes, as: UTF8.self) }
        bytes.append(byte)
      }
      return nil
    }
    guard let line else { throw failure("has ended") }
    return line
  }

  private func failure(_ text: String) -> NeighbourFailure {
    NeighbourFailure("process \(number) (\(kind.rawValue)) \(text)")
  }
}

/// A process for a thread that waits for its end. Safe: the round does nothing with it meanwhile.
private struct TransferredProcess: @unchecked Sendable {
  let process: Process

  init(_ process: Process) {
    self.process = process
  }
}

/// A violated rule of a round with several processes.
struct NeighbourFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
