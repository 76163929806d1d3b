import Foundation
import SanderlingSQLite

#if canImport(Darwin)
  import Darwin
#endif

/// The way in which a statement's memory is measured.
enum MemoryMeter {
  /// SQLite's own count of allocated bytes in this process.
  case sqlite
  /// The process's allocated bytes, for a SQLite without its own count, such as Apple's. This includes the memory of
  /// other threads.
  case process

  /// The meter that works with this SQLite. A connection must be open, so that a counting SQLite reports more than zero
  /// bytes.
  static var available: MemoryMeter { sqlite3_memory_used() > 0 ? .sqlite : .process }

  /// The number of progress callbacks between two readings: measuring a process takes some microseconds.
  var questionsPerReading: Int { self == .sqlite ? 1 : 16 }

  var bytes: Int64 {
    switch self {
    case .sqlite: sqlite3_memory_used()
    case .process: Self.bytesOfProcess
    }
  }

  private static var bytesOfProcess: Int64 {
    #if canImport(Darwin)
      var statistics = malloc_statistics_t()
      // All zones, because SQLite has its own zone.
      malloc_zone_statistics(nil, &statistics)
      return Int64(statistics.size_in_use)
    #else
      // The second number is the count of resident pages.
      guard let numbers = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " "),
        numbers.count > 1, let pages = Int64(numbers[1])
      else { return 0 }
      return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    #endif
  }
}
