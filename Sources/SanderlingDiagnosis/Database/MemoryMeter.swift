import Foundation
import SanderlingSQLite

#if canImport(Darwin)
  import Darwin
#endif

/// How the memory that a statement takes is measured.
enum MemoryMeter {
  /// By what SQLite has allocated in this process.
  case sqlite
  /// By what the process has allocated, where SQLite keeps no account, as on Apple's systems. It counts what other threads
  /// take, too.
  case process

  /// The meter that works with this SQLite. A connection must be open: then SQLite holds memory, if it counts.
  static var available: MemoryMeter { sqlite3_memory_used() > 0 ? .sqlite : .process }

  /// After how many of SQLite's questions whether to go on the meter is read: measuring a process costs some microseconds.
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
      // Of all zones: SQLite has one of its own.
      malloc_zone_statistics(nil, &statistics)
      return Int64(statistics.size_in_use)
    #else
      // The second number is what is resident, in pages.
      guard let numbers = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " "),
        numbers.count > 1, let pages = Int64(numbers[1])
      else { return 0 }
      return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    #endif
  }
}
