import Foundation
import Sanderling

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The bytes of a file, a pipe or a terminal, some at a time.
final class FileBytes {
  private let path: String
  private let descriptor: Int32
  private let isOwned: Bool
  /// How many bytes the file had when it was opened; nil for a pipe.
  let size: Int?
  /// Whether it is a file of a name, and no pipe, which is used up then.
  var canBeReadAgain: Bool { isOwned && size != nil }
  private var buffer: [UInt8]
  private var position = 0
  private var end = 0
  /// How many bytes were taken.
  private(set) var offset = 0
  /// Of all bytes that were taken: tells whether a file begins as another one did.
  private(set) var hash = PrefixHash()

  /// - Throws: ``SyncError/unreadableSource(path:reason:)``.
  init(_ input: FileInput) throws {
    path = input.name
    switch input.place {
    case .path(let path):
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      isOwned = true
      if descriptor < 0 { throw SyncError.unreadableSource(path: path, reason: String(cString: strerror(errno))) }
    case .descriptor(let number):
      descriptor = number
      isOwned = false
    }
    buffer = [UInt8](repeating: 0, count: input.capacity)
    var status = stat()
    size = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  /// The next byte without taking it; nil at the end.
  func peek() throws -> UInt8? {
    if position == end { try fill() }
    return position < end ? buffer[position] : nil
  }

  /// Takes the next byte; nil at the end.
  func next() throws -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    offset += 1
    hash.combine(byte)
    return byte
  }

  /// Takes bytes up to one, which isn't taken, or the end, or as many as there may be.
  func take(into bytes: inout [UInt8], upTo isEnd: (UInt8) -> Bool, limit: Int) throws {
    while try peek() != nil {
      let start = position
      let last = min(end, position + limit - bytes.count)
      while position < last, !isEnd(buffer[position]) {
        hash.combine(buffer[position])
        position += 1
      }
      bytes += buffer[start..<position]
      offset += position - start
      if position < end { return }
    }
  }

  /// Takes as many bytes, or all where there are fewer.
  func skip(_ count: Int) throws {
    let last = offset + count
    while offset < last, try next() != nil {}
  }

  /// Takes the byte order mark that UTF-8 may begin with.
  ///
  /// - Throws: ``SyncError/malformedSource(path:line:column:reason:)`` for a file that is no text, or another one, as its first bytes say.
  func beginText() throws {
    guard offset == 0, let first = try peek() else { return }
    if let (_, reason) = Self.otherBeginnings.first(where: { buffer[position..<end].starts(with: $0.bytes) }) {
      throw SyncError.malformedSource(path: path, line: 1, column: 1, reason: reason)
    }
    if first == 0xEF { try skip(3) }
  }

  private static let otherBeginnings: [(bytes: [UInt8], reason: String)] = [
    ([0x1F, 0x8B], "the file is compressed. Give what gunzip writes, by a pipe"),
    ([0x50, 0x4B, 0x03, 0x04], "the file is a ZIP archive. Give what is in it"),
    ([0xFF, 0xFE], "the file is UTF-16, where UTF-8 has to be"),
    ([0xFE, 0xFF], "the file is UTF-16, where UTF-8 has to be"),
  ]

  private func fill() throws {
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw SyncError.unreadableSource(path: path, reason: String(cString: strerror(errno))) }
      position = 0
      end = count
      return
    }
  }
}

/// Where a file's bytes are.
package struct FileInput: Sendable {
  package enum Place: Sendable {
    case path(String)
    case descriptor(Int32)
  }

  let place: Place
  /// What errors call it, in place of its path or number.
  var title: String?
  /// How many bytes are read at once.
  var capacity = 65_536

  package init(place: Place, title: String? = nil) {
    self.place = place
    self.title = title
  }

  /// What errors call it.
  var name: String {
    if let title { return title }
    return switch place {
    case .path(let path): path
    case .descriptor(0): "standard input"
    case .descriptor(let number): "file descriptor \(number)"
    }
  }
}

/// A hash of all bytes up to a place (FNV-1a of 64 bits, with the place): a file that was appended to has the same one there, and one that
/// was edited before it another.
struct PrefixHash: Hashable, Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
}
