import CZlib

/// The content of a raw deflate stream, without the header of zlib or gzip.
enum Inflation {
  /// The greatest content in bytes. The models of large apps take a few megabytes.
  static let limit = 64 << 20

  /// - Throws: ``ArchiveError`` for a stream that is damaged, ends too early, or has more content than `limit`.
  static func content(of stream: [UInt8], limit: Int = limit) throws(ArchiveError) -> [UInt8] {
    var (input, state) = (stream, z_stream())
    // A negative size of the window means that there is no header.
    guard inflateInit2_(&state, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw ArchiveError("zlib can't start")
    }
    defer { inflateEnd(&state) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var status = Z_OK
    let inputCount = UInt32(clamping: input.count)
    while status == Z_OK {
      let read = Int(state.total_in)
      input.withUnsafeMutableBufferPointer { input in
        buffer.withUnsafeMutableBufferPointer { buffer in
          state.next_in = input.baseAddress.map { $0 + read }
          state.avail_in = inputCount - UInt32(read)
          (state.next_out, state.avail_out) = (buffer.baseAddress, UInt32(buffer.count))
          status = inflate(&state, Z_NO_FLUSH)
        }
      }
      content += buffer.prefix(buffer.count - Int(state.avail_out))
      if content.count > limit { throw ArchiveError("its content is larger than \(limit >> 20) MB") }
    }
    switch status {
    case Z_STREAM_END: return content
    case Z_BUF_ERROR: throw ArchiveError("its compressed content ends too early")
    default: throw ArchiveError("its compressed content is damaged")
    }
  }
}

/// The reason why an archived model can't be read, as a clause.
struct ArchiveError: Error, Equatable {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
