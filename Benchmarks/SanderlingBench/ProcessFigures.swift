import CMalloc
import Foundation

/// Figures on this process from the operating system and the allocator.
enum ProcessFigures {
  /// The processor time of all threads so far in seconds, in user and system mode. It is the time of getrusage with a
  /// resolution of nanoseconds.
  static var processorTime: Double { time(CLOCK_PROCESS_CPUTIME_ID) }

  /// The processor time of the calling thread so far, in seconds.
  static var threadTime: Double { time(CLOCK_THREAD_CPUTIME_ID) }

  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The bytes of physical memory that the process uses at this moment.
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
      // The second number of the file is the count of resident pages.
      let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
      return fields.count > 1 ? (Double(fields[1]) ?? .nan) * Double(sysconf(Int32(_SC_PAGESIZE))) : .nan
    #endif
  }

  /// The bytes that are allocated at this moment. Unlike the resident size, this figure excludes freed memory.
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
