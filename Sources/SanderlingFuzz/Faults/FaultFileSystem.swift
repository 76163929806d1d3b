import Foundation
import SanderlingSQLite
import Sanderling

/// SQLite's own file system, in which calls fail while ``FaultSwitch`` is armed.
///
/// Once registered it is SQLite's default file system, so that GRDB's connections use it without a change.
enum FaultFileSystem {
  /// A file's methods, followed by the methods of the file system below, which they call.
  private struct Methods {
    /// The methods that SQLite sees; this member must come first.
    var own: sqlite3_io_methods
    let original: UnsafePointer<sqlite3_io_methods>
  }

  /// Guards the addresses of the methods that were created, by the addresses of the originals. Neither is ever freed.
  private static let known = Lock<[UInt: UInt]>([:])

  /// Whether the file system is registered. The first access registers it.
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
      // The file system below is found by name each time, because a C function pointer can capture no value.
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
          // SQLite ignores the result of releasing a lock.
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

  /// The original methods of a file, stored after its own methods in memory.
  private static func original(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafePointer<sqlite3_io_methods>? {
    guard let own = file?.pointee.pMethods else { return nil }
    return UnsafeRawPointer(own).assumingMemoryBound(to: Methods.self).pointee.original
  }
}
