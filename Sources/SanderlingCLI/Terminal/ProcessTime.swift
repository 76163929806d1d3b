import Foundation

/// The processor time of this process, of all its threads.
enum ProcessTime {
  static var current: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
