import Foundation

/// How much memory this process takes.
enum ProcessMemory {
  /// The most bytes that were resident since the process began; 0 where the system doesn't tell.
  static var peak: Int {
    #if canImport(Darwin)
      var usage = rusage()
      return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
    #else
      // The kernel's rusage would count the program that started this one as well.
      guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
        let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
      else { return 0 }
      return kilobytes * 1024
    #endif
  }
}
