import CMalloc
import Foundation

/// What the operating system and the allocator say about this process.
enum ProcessFigures {
  /// The seconds of processor time that all threads have taken so far, in user and in system mode: what getrusage says, but
  /// to the nanosecond.
  static var processorTime: Double { time(CLOCK_PROCESS_CPUTIME_ID) }

  /// The seconds of processor time that the calling thread has taken so far.
  static var threadTime: Double { time(CLOCK_THREAD_CPUTIME_ID) }

  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The bytes of physical memory that the process takes at this moment.
  static var residentBytes: Double {
    #if canImport(Darwin)
      var information = mach_task_basic_info()
      var count = mach_msg_type_number_t(MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
      let result = withUnsafeMutablePointer(to: &information) {
        $0.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
          task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
        }
      }
      return result == KERN_SUCCESS ? Double(information.resident_size) : .nan
    #else
      // Its second number is that of pages.
      let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
      return fields.count > 1 ? (Double(fields[1]) ?? .nan) * Double(sysconf(Int32(_SC_PAGESIZE))) : .nan
    #endif
  }

  /// The bytes that are allocated at this moment. Unlike the resident size, it knows what was freed.
  static var allocatedBytes: Double {
    #if canImport(Darwin)
      var statistics = malloc_statistics_t()
      malloc_zone_statistics(nil, &statistics)
      return Double(statistics.size_in_use)
    #else
      let arenas = mallinfo2()
      return Double(arenas.uordblks + arenas.hblkhd)
    #endif
  }
}
