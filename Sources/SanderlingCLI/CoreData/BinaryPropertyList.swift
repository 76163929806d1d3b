/// A binary property list.
///
/// A value is decoded when it is asked for. Values refer to others by index, so that no list makes the reader loop.
/// Foundation on Linux hides the identifiers that a keyed archive consists of.
struct BinaryPropertyList {
  enum Value: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    case data([UInt8])
    case text(String)
    /// The number of an object in a keyed archive.
    case identifier(Int)
    /// The indices of the elements of an array or a set.
    case array([Int])
    case dictionary([Entry])
  }

  /// The indices of a dictionary's key and value.
  struct Entry: Equatable {
    let key: Int
    let value: Int
  }

  private static let trailerSize = 32

  private let bytes: [UInt8]
  private let count: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private let offsets: Int
  /// The index of the top value.
  let top: Int

  /// - Throws: ``ArchiveError`` if the bytes aren't a binary property list.
  init(_ bytes: [UInt8]) throws(ArchiveError) {
    guard bytes.starts(with: "bplist00".utf8), bytes.count > 8 + Self.trailerSize else {
      throw ArchiveError("it is no binary property list")
    }
    self.bytes = bytes
    let trailer = bytes.count - Self.trailerSize
    (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    func number(_ place: Int) -> Int? { Self.number(bytes[(trailer + place)..<(trailer + place + 8)]) }
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), let count = number(8), let top = number(16),
      let offsets = number(24), count > 0, top < count, offsets >= 8, offsets <= trailer,
      count <= (trailer - offsets) / offsetSize
    else { throw ArchiveError("the trailer of its property list is damaged") }
    (self.count, self.top, self.offsets) = (count, top, offsets)
  }

  /// Returns the value with an index.
  ///
  /// - Throws: ``ArchiveError`` if the list has no such value, or it doesn't fit into the list.
  func value(at index: Int) throws(ArchiveError) -> Value {
    guard (0..<count).contains(index) else { throw ArchiveError("its property list refers to a value that it lacks") }
    var place = try take(offsetSize, at: offsets + index * offsetSize)
    guard place >= 8, place < offsets else { throw Self.misplaced }
    let (kind, size) = (bytes[place] >> 4, Int(bytes[place] & 15))
    place += 1
    switch kind {
    case 0 where size == 0: return .null
    case 0 where size == 8 || size == 9: return .bool(size == 9)
    case 1: return .integer(try integer(1 << size, at: place))
    case 2 where size == 2: return .real(Double(Float(bitPattern: UInt32(try bits(4, at: place)))))
    case 2 where size == 3: return .real(Double(bitPattern: try bits(8, at: place)))
    case 3 where size == 3: return .date(Double(bitPattern: try bits(8, at: place)))
    case 8: return .identifier(try take(size + 1, at: place))
    case 4, 5, 6, 10, 12, 13: break
    default: throw ArchiveError("its property list has a value of an unknown kind")
    }
    var length = size
    if size == 15 {
      guard place < offsets, bytes[place] >> 4 == 1 else { throw Self.misplaced }
      let width = 1 << Int(bytes[place] & 15)
      length = Int(clamping: try integer(width, at: place + 1))
      place += 1 + width
    }
    switch kind {
    case 4: return .data(Array(try slice(length, 1, at: place)))
    case 5: return .text(String(decoding: try slice(length, 1, at: place), as: UTF8.self))
    case 6:
      let units = Array(try slice(length, 2, at: place))
      return .text(
        String(
          decoding: stride(from: 0, to: units.count, by: 2).map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) },
          as: UTF16.self))
    case 13:
      let references = try references(length, at: place)
      let values = try self.references(length, at: place + length * referenceSize)
      return .dictionary(zip(references, values).map { Entry(key: $0, value: $1) })
    default: return .array(try references(length, at: place))
    }
  }

  private func references(_ length: Int, at place: Int) throws(ArchiveError) -> [Int] {
    let bytes = try slice(length, referenceSize, at: place)
    return (0..<length).map { index in
      let start = bytes.startIndex + index * referenceSize
      // An index that no list can have, for a number of more than 63 bits.
      return Self.number(bytes[start..<(start + referenceSize)]) ?? .max
    }
  }

  private func integer(_ width: Int, at place: Int) throws(ArchiveError) -> Int64 {
    guard width <= 16 else { throw ArchiveError("its property list has an integer of more than 128 bits") }
    // The first half of 16 bytes only repeats the sign of the numbers that an archive has.
    let bits = try width == 16 ? bits(8, at: place + 8) : bits(width, at: place)
    return Int64(bitPattern: bits)
  }

  private func bits(_ width: Int, at place: Int) throws(ArchiveError) -> UInt64 {
    try slice(width, 1, at: place).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func take(_ width: Int, at place: Int) throws(ArchiveError) -> Int {
    guard width <= 8, let number = Self.number(try slice(width, 1, at: place)) else { throw Self.misplaced }
    return number
  }

  /// Returns the bytes of some units from a place, all before the trailer.
  private func slice(_ count: Int, _ size: Int, at place: Int) throws(ArchiveError) -> ArraySlice<UInt8> {
    let end = bytes.count - Self.trailerSize
    guard count >= 0, place >= 0, place <= end, count <= (end - place) / size else { throw Self.misplaced }
    return bytes[place..<(place + count * size)]
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private static var misplaced: ArchiveError { ArchiveError("its property list refers to bytes that it lacks") }
}
