import Foundation
import SanderlingSQLite
import Sanderling

/// SQLite's own file system with calls that fail while ``FaultSwitch`` is armed.
///
/// It is SQLite's default once it is registered, so that connections of GRDB use it without knowing.
enum FaultFileSystem {
  /// A file's methods, and those of the file system below, which are called in the end.
  private struct Methods {
    /// What SQLite sees, and so the first.
    var own: sqlite3_io_methods
    let original: UnsafePointer<sqlite3_io_methods>
  }

  /// Guards the addresses of methods that were made, by those that they stand for. Neither ever goes away.
  private static let known = Lock<[UInt: UInt]>([:])

  /// Whether it is registered; doing so is what the first look does.
  static let isRegistered: Bool = {
    guard let below = sqlite3_vfs_find(nil) else { return false }
    let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    system.initialize(to: below.pointee)
    system.pointee.pNext = nil
    system.pointee.zName = UnsafePointer(strdup("sanderling-fuzz"))
    system.pointee.xOpen = { _, name, file, flags, outFlags in
      guard let file else { return SQLITE_CANTOPEN }
      if let code = FaultSwitch.shared.code(for: .open) {
        file.pointee.pMethods = nil
        return code
      }
      // The one below is asked by its name each time: a function that C calls can hold nothing.
      guard let below = sqlite3_vfs_find(FaultFileSystem.nameBelow), let open = below.pointee.xOpen else {
        return SQLITE_CANTOPEN
      }
      let code = open(below, name, file, flags, outFlags)
      if let methods = file.pointee.pMethods { file.pointee.pMethods = FaultFileSystem.wrapped(methods) }
      return code
    }
    return sqlite3_vfs_register(system, 1) == SQLITE_OK
  }()

  private static let nameBelow = "unix"

  private static func wrapped(_ original: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<sqlite3_io_methods>? {
    let address = known.withLock { known in
      if let address = known[UInt(bitPattern: original)] { return address }
      let methods = UnsafeMutablePointer<Methods>.allocate(capacity: 1)
      methods.initialize(to: Methods(own: original.pointee, original: original))
      methods.pointee.own.xRead = { file, buffer, count, offset in
        if let code = FaultSwitch.shared.code(for: .read) { return code }
        return FaultFileSystem.original(file)?.pointee.xRead(file, buffer, count, offset) ?? SQLITE_IOERR
      }
      methods.pointee.own.xWrite = { file, buffer, count, offset in
        if let code = FaultSwitch.shared.code(for: .write) { return code }
        return FaultFileSystem.original(file)?.pointee.xWrite(file, buffer, count, offset) ?? SQLITE_IOERR
      }
      methods.pointee.own.xSync = { file, flags in
        if let code = FaultSwitch.shared.code(for: .sync) { return code }
        return FaultFileSystem.original(file)?.pointee.xSync(file, flags) ?? SQLITE_IOERR
      }
      methods.pointee.own.xLock = { file, level in
        if let code = FaultSwitch.shared.code(for: .lock) { return code }
        return FaultFileSystem.original(file)?.pointee.xLock(file, level) ?? SQLITE_IOERR
      }
      if original.pointee.iVersion >= 2, original.pointee.xShmMap != nil {
        methods.pointee.own.xShmMap = { file, region, size, extends, memory in
          if let code = FaultSwitch.shared.code(for: .map) { return code }
          return FaultFileSystem.original(file)?.pointee.xShmMap(file, region, size, extends, memory) ?? SQLITE_IOERR
        }
        methods.pointee.own.xShmLock = { file, offset, count, flags in
          // SQLite doesn't look whether giving a lock back fails.
          if flags & SQLITE_SHM_UNLOCK == 0, let code = FaultSwitch.shared.code(for: .lock) { return code }
          return FaultFileSystem.original(file)?.pointee.xShmLock(file, offset, count, flags) ?? SQLITE_IOERR
        }
      }
      let address = UInt(bitPattern: methods)
      known[UInt(bitPattern: original)] = address
      return address
    }
    return UnsafePointer(bitPattern: address)
  }

  /// The methods below a file's own, which stand behind them in memory.
  private static func original(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafePointer<sqlite3_io_methods>? {
    guard let own = file?.pointee.pMethods else { return nil }
    return UnsafeRawPointer(own).assumingMemoryBound(to: Methods.self).pointee.original
  }
}
