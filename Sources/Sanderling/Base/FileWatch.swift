import Foundation

/// Watches the files that a commit to a database writes: the write-ahead log, the journal, and their directory.
///
/// The watch never opens the database and the shared memory beside it. SQLite's locks of a process end when the process
/// closes any descriptor of these files.
///
/// Events within 5 ms are reported together. A process that commits all the time causes at most 200 reports a second,
/// and a quiet file none.
///
/// Lifetime: ``OutsideWatch`` makes the watch. ``cancel()`` or the release of the watch closes its descriptors. Erasing
/// and migrating a database keep the directory, and so the watch. If the directory is removed or renamed, `changed` is
/// called a last time with `true`.
final class FileWatch: Sendable {
  private let events: FileEvents

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - database: The path of the database file, without symbolic links.
  ///   - changed: Called on the queue of all watches. The argument is whether the directory is lost, after which no
  ///     events follow.
  /// - Returns: Nil if the system reports no events for the directory. Linux reports none on a network file system, and
  ///   no system does if the process has no descriptors left.
  init?(_ database: String, changed: @escaping @Sendable (_ isLost: Bool) -> Void) {
    guard let events = FileEvents(database, changed) else { return nil }
    self.events = events
  }

  deinit { cancel() }

  func cancel() {
    Self.queue.async { [events] in events.end() }
  }

  /// All watches of the process share one queue. Their work takes microseconds.
  static let queue = DispatchQueue(label: "Sanderling.files", qos: .userInitiated)
  static let pause = DispatchTimeInterval.milliseconds(5)

  /// The suffixes of the files beside the database that a commit writes.
  static let endings = ["-wal", "-journal"]
}

#if os(Linux) || os(Android)
  /// The events of one directory, by inotify.
  ///
  /// Sendable is safe, because only ``FileWatch/queue`` uses the variables after `init`. The object lives as long as
  /// its source, which refers to it. ``end()`` cancels the source.
  private final class FileEvents: @unchecked Sendable {
    private let names: Set<String>
    private let changed: @Sendable (Bool) -> Void
    private let descriptor: Int32
    private var source: (any DispatchSourceRead)?
    /// Whether events wait for the end of the pause. The source is suspended meanwhile.
    private var isPausing = false

    init?(_ database: String, _ changed: @escaping @Sendable (Bool) -> Void) {
      let url = URL(fileURLWithPath: database)
      let directory = url.deletingLastPathComponent().path
      // If the journal is kept in memory, a commit writes only the database file. The directory reports its events too.
      names = Set(([""] + FileWatch.endings).map { url.lastPathComponent + $0 })
      self.changed = changed
      if Self.isOfNetwork(directory) { return nil }
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      if descriptor < 0 { return nil }
      let mask =
        IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
      guard inotify_add_watch(descriptor, directory, UInt32(mask)) >= 0 else {
        close(descriptor)
        return nil
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: FileWatch.queue)
      source.setEventHandler { self.pause() }
      source.setCancelHandler { [descriptor] in close(descriptor) }
      self.source = source
      source.resume()
    }

    /// Cancels the source. Further calls do nothing.
    func end() {
      guard let source else { return }
      self.source = nil
      // A suspended source is never cancelled.
      if isPausing { source.resume() }
      source.setEventHandler {}
      source.cancel()
    }

    /// Begins a pause, in which events wait.
    private func pause() {
      guard let source, !isPausing else { return }
      isPausing = true
      source.suspend()
      FileWatch.queue.asyncAfter(deadline: .now() + FileWatch.pause) { self.report() }
    }

    private func report() {
      guard let source else { return }
      isPausing = false
      let (hasChanged, isLost) = takeEvents()
      source.resume()
      if isLost { end() }
      if hasChanged || isLost { changed(isLost) }
    }

    /// Reads all pending events.
    private func takeEvents() -> (hasChanged: Bool, isLost: Bool) {
      var (hasChanged, isLost) = (false, false)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 8)
      defer { buffer.deallocate() }
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return (hasChanged, isLost) }
        var place = 0
        // The buffer is read by offsets, because events have different lengths: a name follows the fixed part.
        let header = MemoryLayout<inotify_event>.size
        while place + header <= count {
          let mask = Int(buffer.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self))
          let length = Int(buffer.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
          let name = buffer[(place + header)..<min(place + header + length, count)].prefix { $0 != 0 }
          place += header + length
          if mask & Int(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 { isLost = true }
          if mask & Int(IN_Q_OVERFLOW) != 0 || names.contains(String(decoding: name, as: UTF8.self)) {
            hasChanged = true
          }
        }
      }
    }

    /// Whether the directory is on a network file system. Its other machines may write, and the system reports no event
    /// of their writes.
    private static func isOfNetwork(_ directory: String) -> Bool {
      guard let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8) else { return false }
      // Each line has the device, the mount point and the type. A space in a mount point is written as \040.
      let systems = mounts.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count > 2 }
      let longest = systems.filter { system in
        let place = system[1].replacing("\\040", with: " ")
        return place == "/" || directory == place || directory.hasPrefix(place + "/")
      }.max { $0[1].count < $1[1].count }
      guard let type = longest?[2] else { return false }
      return ["nfs", "cifs", "smb", "9p", "afs", "ceph", "fuse.", "virtiofs"].contains { type.hasPrefix($0) }
    }
  }
#elseif canImport(Darwin)
  /// The events of one directory and of the files in it that commits write, by vnode sources.
  ///
  /// Sendable is safe, because only ``FileWatch/queue`` uses the variables after `init`. The object lives as long as
  /// its sources, which refer to it. ``end()`` cancels the sources.
  private final class FileEvents: @unchecked Sendable {
    private let paths: [String]
    private let changed: @Sendable (Bool) -> Void
    private var directory: (any DispatchSourceFileSystemObject)?
    /// The sources of the files by path, each with the number of the file's inode.
    private var files: [String: (source: any DispatchSourceFileSystemObject, number: UInt64)] = [:]
    private var isPausing = false

    init?(_ database: String, _ changed: @escaping @Sendable (Bool) -> Void) {
      paths = FileWatch.endings.map { database + $0 }
      self.changed = changed
      let url = URL(fileURLWithPath: database).deletingLastPathComponent()
      guard let directory = source(url.path) else { return nil }
      // An event before the assignment would find no source.
      self.directory = directory
      directory.resume()
      FileWatch.queue.async { self.findFiles() }
    }

    /// Cancels the sources. Further calls do nothing.
    func end() {
      directory?.cancel()
      directory = nil
      for file in files.values { file.source.cancel() }
      files = [:]
    }

    private func source(_ path: String) -> (any DispatchSourceFileSystemObject)? {
      let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
      if descriptor < 0 { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename, .revoke], queue: FileWatch.queue)
      source.setEventHandler { self.pause() }
      source.setCancelHandler { close(descriptor) }
      return source
    }

    /// Watches the existing files. A log that was removed and created again is another file, with another inode.
    private func findFiles() {
      for path in paths {
        var status = stat()
        let number = lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
        if files[path]?.number == number { continue }
        files.removeValue(forKey: path)?.source.cancel()
        guard let number, let source = source(path) else { continue }
        files[path] = (source, number)
        source.resume()
      }
    }

    /// Begins a pause, after which all events are reported together.
    private func pause() {
      if directory == nil || isPausing { return }
      isPausing = true
      FileWatch.queue.asyncAfter(deadline: .now() + FileWatch.pause) { self.report() }
    }

    private func report() {
      guard let directory else { return }
      isPausing = false
      let isLost = !directory.data.isDisjoint(with: [.delete, .rename, .revoke])
      if isLost { end() } else { findFiles() }
      changed(isLost)
    }
  }
#else
  /// Reports no events: this system's file events are not supported.
  private final class FileEvents: Sendable {
    init?(_ database: String, _ changed: @escaping @Sendable (Bool) -> Void) { return nil }

    func end() {}
  }
#endif
