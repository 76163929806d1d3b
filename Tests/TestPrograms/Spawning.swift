import CSpawn
import Foundation

/// The system calls that start programs and wait for their end.
enum Spawning {
  /// Starts a program in its own process group.
  ///
  /// - Parameter files: The files that become standard input, output and error; nil for none.
  /// - Returns: The number of the process.
  static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String], directory: String?, files: [Int32?]
  ) throws -> Int32 {
    #if os(macOS) || os(Linux)
      #if os(Linux)
        var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
      #else
        var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
      #endif
      posix_spawn_file_actions_init(&actions)
      posix_spawnattr_init(&attributes)
      defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
      }
      for (number, file) in files.enumerated() {
        if let file {
          posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
        } else {
          posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
        }
      }
      if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }
      posix_spawnattr_setpgroup(&attributes, 0)
      // The threads of dispatch queues block signals, and the program would inherit that.
      var (blocked, ignored) = (sigset_t(), sigset_t())
      sigemptyset(&blocked)
      sigfillset(&ignored)
      posix_spawnattr_setsigmask(&attributes, &blocked)
      posix_spawnattr_setsigdefault(&attributes, &ignored)
      let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
      #if os(Linux)
        posix_spawn_file_actions_addclosefrom_np(&actions, Int32(files.count))
        posix_spawnattr_setflags(&attributes, Int16(flags))
      #else
        posix_spawnattr_setflags(&attributes, Int16(flags | POSIX_SPAWN_CLOEXEC_DEFAULT))
      #endif
      let words = ([path] + arguments).map { strdup($0) }
      let variables = environment.map { strdup($0) }
      defer { for text in words + variables { free(text) } }
      var number: pid_t = 0
      let code = posix_spawn(&number, path, &actions, &attributes, words + [nil], variables + [nil])
      guard code == 0 else {
        throw Program.Failure("\(path) can't be started: \(String(cString: strerror(code)))")
      }
      return number
    #else
      throw Program.Failure("\(path) can't be started: this system lets no process start others")
    #endif
  }

  /// Returns how a process ended; nil while it runs. The system reports the end only once.
  static func end(of number: Int32) -> Program.End? {
    var status: Int32 = 0
    guard waitpid(number, &status, WNOHANG) == number else { return nil }
    // The expressions do the work of WIFSIGNALED, WTERMSIG and WEXITSTATUS, which are macros.
    return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
  }

  /// Blocks until a process has ended, or until the system has already reported its end.
  static func awaitEnd(of number: Int32) {
    var information = siginfo_t()
    while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
  }
}
