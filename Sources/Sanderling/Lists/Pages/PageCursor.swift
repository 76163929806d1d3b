/// A place in the rows of a query, from which pages are read: after it or before it.
///
/// ```swift
/// let cursor = try PageCursor(request.query["after"])
/// let page = try await pages.page(after: cursor)
/// ```
///
/// A cursor is a short text that is safe to store and to send in a URL: letters, digits, `-` and `_`. It holds the
/// ordering values and the key of a row, a number for the form of the query, and a checksum. The values aren't
/// encrypted.
///
/// The checksum detects cursors that were cut or altered by accident. It is no signature. A cursor that is made by hand
/// leads to another place in the same query's rows, never to rows that the query doesn't have.
///
/// The row may have been deleted: its place is between the remaining rows.
public struct PageCursor: Hashable, Sendable {
  /// The side of the row on which the place is.
  enum Side: UInt8, Sendable {
    /// The place of the row itself. The row is neither after nor before it.
    case row
    case beforeRow
    case afterRow
  }

  /// The number of the query's form: see ``PageForm``.
  let form: UInt64
  let position: PagePosition
  let side: Side

  init(form: UInt64, position: PagePosition, side: Side = .row) {
    self.form = form
    self.position = position
    self.side = side
  }

  /// The place directly before the same row, so that the row follows it.
  var movedBeforeRow: PageCursor { side == .row ? PageCursor(form: form, position: position, side: .beforeRow) : self }

  /// The place directly after the same row, so that the row precedes it.
  var movedAfterRow: PageCursor { side == .row ? PageCursor(form: form, position: position, side: .afterRow) : self }
}

extension PageCursor {
  /// The version of the cursors' text. A change of the text or of the numbers of forms needs a new version.
  static let version: UInt8 = 1

  /// The cursor as text.
  ///
  /// - Complexity: O(bytes of the ordering values).
  public var string: String {
    var bytes = [Self.version, side.rawValue]
    withUnsafeBytes(of: form.littleEndian) { bytes += $0 }
    bytes += position.bytes
    withUnsafeBytes(of: CyclicCode.value(of: bytes).littleEndian) { bytes += $0 }
    return CursorText.string(bytes)
  }

  /// Reads a cursor's text.
  ///
  /// - Throws: ``PageError/damagedCursor`` for a text that isn't an intact cursor, and
  ///   ``PageError/cursorOfOtherVersion(_:)``. Only reading a page checks that the cursor belongs to the query.
  public init(_ string: String) throws {
    guard let bytes = CursorText.bytes(string), bytes.count >= 14 else { throw PageError.damagedCursor }
    let content = bytes.dropLast(4)
    let code = bytes.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard CyclicCode.value(of: content) == code else { throw PageError.damagedCursor }
    guard bytes[0] == Self.version else { throw PageError.cursorOfOtherVersion(Int(bytes[0])) }
    guard let side = Side(rawValue: bytes[1]), let position = PagePosition(decoding: Array(content.dropFirst(10)))
    else {
      throw PageError.damagedCursor
    }
    self.init(
      form: bytes[2..<10].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, position: position, side: side)
  }
}

extension PageCursor: CustomStringConvertible {
  public var description: String { string }
}

/// Encodes a cursor as its text.
extension PageCursor: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode(String.self))
    } catch let error as PageError {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}
