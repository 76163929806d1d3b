import Foundation

/// How much memory this process has resident, in bytes.
enum ProcessMemory {
  #if canImport(Darwin)
    static var current: Int {
      var info = mach_task_basic_info()
      var count = mach_msg_type_number_t(MemoryLayout<mach_task_basic_info>.size / MemoryLayout<integer_t>.size)
      let result = withUnsafeMutablePointer(to: &info) { pointer in
        pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
          task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
        }
      }
      return result == KERN_SUCCESS ? Int(info.resident_size) : 0
    }

    /// The most that there was since the process began.
    static var peak: Int {
      var usage = rusage()
      return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
    }
  #else
    static var current: Int { status("VmRSS:") }

    /// The most that there was since the process began. (The kernel's rusage would count the program that started this
    /// one as well.)
    static var peak: Int { status("VmHWM:") }

    private static func status(_ name: String) -> Int {
      guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
        let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
      else { return 0 }
      return kilobytes * 1024
    }
  #endif
}
