import Foundation

extension Process {
  /// The environment of this process, for a process that the fuzzer starts.
  ///
  /// Writing a backtrace takes time. A process killed during it would look like one without a crash.
  static var environmentOfChild: [String: String] {
    ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }

  func send(_ signal: Int32) { _ = kill(processIdentifier, signal) }
}
