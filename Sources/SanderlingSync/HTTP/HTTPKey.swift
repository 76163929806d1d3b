public import Sanderling

/// The conversion between a record's key and the id in its path at the server.
///
/// A key of one column is its text: integers as digits, UUIDs as they are written. A key of several columns is its JSON
/// in base 32, whose letters and digits all servers accept. It can be decoded.
public struct HTTPKey: Sendable {
  let idField: String?
  /// Returns the id of a key; nil for a key that can't be in a path.
  public var id: @Sendable (_ key: [StorageValue]) -> String?
  /// Returns the key that an id encodes; nil for an id of another form.
  public var key: @Sendable (_ id: String) -> [StorageValue]?

  init(_ record: SyncedRecord, idField: String?) {
    self.idField = idField
    let columns = record.table.keyColumns
    if let column = columns.first, columns.count == 1 {
      id = { key in
        guard let id = key.first.flatMap({ column.foreign($0).word }), !id.isEmpty, id != ".", id != ".." else {
          return nil
        }
        return id
      }
      key = { [column.stored(field: $0)] }
    } else {
      id = { Base32.text(Array(StoredJSON.text($0).utf8)) }
      key = { Base32.bytes($0).flatMap { try? StoredJSON.values(String(decoding: $0, as: UTF8.self)) } }
    }
  }
}

/// Codes bytes as the digits 0 to 9 and the letters a to v.
enum Base32 {
  static func text(_ bytes: [UInt8]) -> String {
    var text = ""
    var (bits, count) = (0, 0)
    for byte in bytes {
      (bits, count) = ((bits << 8 | Int(byte)) & 0xFFF, count + 8)
      while count >= 5 {
        count -= 5
        text += String(bits >> count & 31, radix: 32)
      }
    }
    if count > 0 { text += String(bits << (5 - count) & 31, radix: 32) }
    return text
  }

  static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count) = (0, 0)
    for character in text {
      guard let digit = character.isUppercase ? nil : Int(String(character), radix: 32) else { return nil }
      (bits, count) = ((bits << 5 | digit) & 0xFFF, count + 5)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 255))
      }
    }
    return bytes
  }
}
