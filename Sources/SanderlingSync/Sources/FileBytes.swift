import Foundation
import Sanderling

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The bytes of a file, a pipe or a terminal as UTF-8, read in parts.
final class FileBytes {
  private let path: String
  private let descriptor: Int32
  private let isOwned: Bool
  /// The size of the file in bytes when it was opened; nil for a pipe.
  let size: Int?
  /// Whether the input is a named file. A pipe can be read only once.
  var canBeReadAgain: Bool { isOwned && size != nil }
  /// The number of bytes in one read.
  private let capacity: Int
  private var buffer: [UInt8] = []
  private var position = 0
  /// The number of consumed bytes.
  private(set) var offset = 0
  /// The hash of all consumed bytes: it shows whether two files begin with the same bytes.
  private(set) var hash: PrefixHash
  /// Converts another encoding to UTF-8; nil if the file is UTF-8.
  private var decoder: FileDecoder?
  /// The number of bytes read from the file itself.
  private var readCount = 0
  private var isAtEnd = false
  private var mark: Mark?
  /// Called before each read of the file.
  private let willRead: () throws -> Void

  /// A place to return to.
  private struct Mark {
    var position: Int
    let offset: Int
    let hash: PrefixHash
  }

  /// - Parameters:
  ///   - seed: A text of all other options that decide the meaning of the bytes. An empty text has no effect.
  ///   - willRead: Called before each read of the file. An error that it throws ends the reading.
  /// - Throws: ``SyncError/unreadableSource(path:reason:)``.
  init(_ input: FileInput, seed: String = "", willRead: @escaping () throws -> Void = {}) throws {
    self.willRead = willRead
    path = input.name
    capacity = input.capacity
    hash = PrefixHash(seed)
    switch input.place {
    case .path(let path):
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      isOwned = true
      if descriptor < 0 { throw SyncError.unreadableSource(path: path, reason: String(cString: strerror(errno))) }
    case .descriptor(let number):
      descriptor = number
      isOwned = false
    }
    var status = stat()
    size = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  /// The number of consumed bytes of the file itself, or slightly more.
  var consumed: Int { decoder == nil ? offset : readCount }

  /// The number of bytes in memory: the unconsumed ones, and those after the mark.
  var keptCount: Int { buffer.count }

  /// The next byte without consuming it; nil at the end.
  func peek() throws -> UInt8? {
    if position == buffer.count { try fill() }
    return position < buffer.count ? buffer[position] : nil
  }

  /// Consumes the next byte; nil at the end.
  @discardableResult
  func next() throws -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    offset += 1
    hash.combine(byte)
    return byte
  }

  /// Consumes bytes up to an end byte, which isn't consumed, up to the end of the file, or up to the limit.
  func take(into bytes: inout [UInt8], upTo isEnd: (UInt8) -> Bool, limit: Int) throws {
    while bytes.count < limit, try peek() != nil {
      let start = position
      let last = min(buffer.count, position + limit - bytes.count)
      while position < last, !isEnd(buffer[position]) {
        hash.combine(buffer[position])
        position += 1
      }
      bytes += buffer[start..<position]
      offset += position - start
      if position < buffer.count { return }
    }
  }

  /// Consumes that many bytes, or all if there are fewer.
  func skip(_ count: Int) throws {
    let last = offset + count
    while offset < last, try next() != nil {}
  }

  /// Keeps all bytes from here on in memory for ``rewind()``, until ``dropMark()`` or another mark.
  func setMark() { mark = Mark(position: position, offset: offset, hash: hash) }

  /// Stops keeping consumed bytes.
  func dropMark() { mark = nil }

  /// Returns to the mark.
  func rewind() {
    guard let mark else { return }
    (position, offset, hash) = (mark.position, mark.offset, mark.hash)
  }

  /// Finds the encoding, and skips a byte order mark.
  ///
  /// - Parameter encoding: The encoding that the user names; nil to derive it from the first bytes.
  /// - Throws: ``SyncError/malformedSource(path:line:column:reason:)`` for a file that is no text or has another
  ///   encoding than the named one.
  func beginText(_ encoding: FileEncoding?, _ findings: FileFindings? = nil) throws {
    // A pipe may deliver single bytes.
    while buffer.count < Self.beginning, !isAtEnd { try read() }
    do {
      let found = try FoundEncoding(buffer[...])
      if let encoding, let found, encoding != found.encoding, found.markLength > 0 {
        throw RowRefusal(
          line: 1,
          reason:
            "the file begins with the byte order mark of \(found.encoding.rawValue), and the named encoding is \(encoding.rawValue) "
            + "(FileOptions.encoding)")
      }
      if encoding == nil, let found, found.encoding != .utf8 { findings?.note(found.encoding) }
      decoder = FileDecoder(encoding ?? found?.encoding ?? .utf8)
      if decoder == nil { return try skip(found?.markLength ?? 0) }
      let bytes = buffer[(found?.markLength ?? 0)...]
      buffer = []
      decode(bytes)
    } catch let refusal as RowRefusal {
      throw refusal.of(path).error ?? refusal
    }
  }

  /// The number of first bytes that show the encoding.
  private static let beginning = 64

  private func fill() throws {
    while position == buffer.count, !isAtEnd { try read() }
  }

  /// Reads some bytes after the unconsumed ones and those kept for the mark.
  private func read() throws {
    try willRead()
    let kept = mark?.position ?? position
    buffer.removeFirst(kept)
    position -= kept
    mark?.position = 0
    var chunk = [UInt8](repeating: 0, count: capacity)
    let count = chunk.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { return }
    if count < 0 { throw SyncError.unreadableSource(path: path, reason: String(cString: strerror(errno))) }
    readCount += count
    isAtEnd = count == 0
    decode(chunk[..<count])
  }

  private func decode(_ bytes: ArraySlice<UInt8>) {
    guard decoder != nil else {
      buffer += bytes
      return
    }
    decoder?.decode(bytes, into: &buffer)
    if isAtEnd { decoder?.finish(into: &buffer) }
  }
}

/// The place of a file's bytes.
package struct FileInput: Sendable {
  package enum Place: Sendable {
    case path(String)
    case descriptor(Int32)
  }

  let place: Place
  /// The file's name in errors, in place of its path or number.
  var title: String?
  /// The number of bytes in one read.
  var capacity = 65_536

  package init(place: Place, title: String? = nil) {
    self.place = place
    self.title = title
  }

  /// The file's name in errors.
  var name: String {
    if let title { return title }
    return switch place {
    case .path(let path): path
    case .descriptor(0): "standard input"
    case .descriptor(let number): "file descriptor \(number)"
    }
  }
}

/// A hash of all bytes up to a place (FNV-1a of 64 bits, with the place). After bytes are appended it stays the same at
/// that place; after an edit before it, it changes.
struct PrefixHash: Hashable, Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// - Parameter seed: A text that distinguishes the hash from that of the same bytes with another meaning.
  init(_ seed: String = "") {
    for byte in seed.utf8 { combine(byte) }
  }

  mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
}
