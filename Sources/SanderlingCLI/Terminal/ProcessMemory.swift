import Foundation

/// The memory of this process.
enum ProcessMemory {
  /// The largest number of resident bytes so far; 0 if the system doesn't report it.
  static var peak: Int {
    #if canImport(Darwin)
      var usage = rusage()
      return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
    #else
      // The kernel's rusage would include the program that started this process.
      guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
        let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
      else { return 0 }
      return kilobytes * 1024
    #endif
  }
}
