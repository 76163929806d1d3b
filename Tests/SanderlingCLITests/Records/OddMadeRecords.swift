// swift-format-ignore-file
// The records of OddMade.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum OddMade {
  @Record("of_any")
  struct OfAny {
    // Holds texts, and is declared ANY: SQLite turns texts that look like numbers into numbers.
    var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts, and is declared ANY: SQLite turns texts that look like numbers into numbers.
    var texts: StorageValue?
    var blobs: Data?
    // Holds texts, and is declared ANY: SQLite turns texts that look like numbers into numbers.
    var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts, and is declared ANY: SQLite turns texts that look like numbers into numbers.
    var objects: StorageValue?
    var bytes: UUID?
    var empty: StorageValue?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_blobsubtype")
  struct OfBlobsubtype {
    var id: String
    var integers: Int?
    var reals: Double?
    var texts: String?
    var blobs: Data?
    @Stored(as: .dateText) var times: Date?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    @Stored(as: .json) var objects: [String]?
    var bytes: UUID?
    var empty: Data?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_bool")
  struct OfBool {
    // Holds texts, and is declared BOOL: SQLite turns texts that look like numbers into numbers.
    var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts, and is declared BOOL: SQLite turns texts that look like numbers into numbers.
    var texts: StorageValue?
    var blobs: Data?
    // Holds texts, and is declared BOOL: SQLite turns texts that look like numbers into numbers.
    var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts, and is declared BOOL: SQLite turns texts that look like numbers into numbers.
    var objects: StorageValue?
    var bytes: UUID?
    var empty: Bool?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_charint")
  struct OfCharint {
    // Holds texts, and is declared CHARINT: SQLite turns texts that look like numbers into numbers.
    var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts, and is declared CHARINT: SQLite turns texts that look like numbers into numbers.
    var texts: StorageValue?
    var blobs: Data?
    // Holds texts, and is declared CHARINT: SQLite turns texts that look like numbers into numbers.
    var times: StorageValue?
    // Holds texts, and is declared CHARINT: SQLite turns texts that look like numbers into numbers.
    var uuids: StorageValue?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts, and is declared CHARINT: SQLite turns texts that look like numbers into numbers.
    var objects: StorageValue?
    var bytes: UUID?
    var empty: Int?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_datetime")
  struct OfDatetime {
    var id: String
    // Taken for seconds since 1970.
    @Stored(as: .unixSeconds) var integers: Date?
    var reals: Double?
    var texts: String?
    var blobs: Data?
    @Stored(as: .dateText) var times: Date?
    @Stored(as: .uuidText) var uuids: UUID?
    // Taken for seconds since 1970.
    @Stored(as: .unixSeconds) var moments: Date?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    @Stored(as: .json) var objects: [String]?
    var bytes: UUID?
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored(as: .dateText) var empty: Date?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_decimal")
  struct OfDecimal {
    // Holds texts, and is declared DECIMAL(10,2): SQLite turns texts that look like numbers into numbers.
    var id: StorageValue
    var integers: Double?
    var reals: Double?
    // Holds texts, and is declared DECIMAL(10,2): SQLite turns texts that look like numbers into numbers.
    var texts: StorageValue?
    var blobs: Data?
    // Holds texts, and is declared DECIMAL(10,2): SQLite turns texts that look like numbers into numbers.
    var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Double?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts, and is declared DECIMAL(10,2): SQLite turns texts that look like numbers into numbers.
    var objects: StorageValue?
    var bytes: UUID?
    var empty: Double?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_floatingpoint")
  struct OfFloatingpoint {
    // Holds texts, and is declared FLOATING POINT: SQLite turns texts that look like numbers into numbers.
    var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts, and is declared FLOATING POINT: SQLite turns texts that look like numbers into numbers.
    var texts: StorageValue?
    var blobs: Data?
    // Holds texts, and is declared FLOATING POINT: SQLite turns texts that look like numbers into numbers.
    var times: StorageValue?
    // Holds texts, and is declared FLOATING POINT: SQLite turns texts that look like numbers into numbers.
    var uuids: StorageValue?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts, and is declared FLOATING POINT: SQLite turns texts that look like numbers into numbers.
    var objects: StorageValue?
    var bytes: UUID?
    var empty: Int?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_guid")
  struct OfGUID {
    // Holds texts, and is declared GUID: SQLite turns texts that look like numbers into numbers.
    var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts, and is declared GUID: SQLite turns texts that look like numbers into numbers.
    var texts: StorageValue?
    var blobs: Data?
    // Holds texts, and is declared GUID: SQLite turns texts that look like numbers into numbers.
    var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts, and is declared GUID: SQLite turns texts that look like numbers into numbers.
    var objects: StorageValue?
    var bytes: UUID?
    // Has no values, and is declared GUID.
    var empty: StorageValue?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_integer")
  struct OfInteger {
    var id: Int64?
    var integers: Int?
    var reals: Double?
    // Holds texts, and is declared INTEGER: SQLite turns texts that look like numbers into numbers.
    var texts: StorageValue?
    var blobs: Data?
    // Holds texts, and is declared INTEGER: SQLite turns texts that look like numbers into numbers.
    var times: StorageValue?
    // Holds texts, and is declared INTEGER: SQLite turns texts that look like numbers into numbers.
    var uuids: StorageValue?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts, and is declared INTEGER: SQLite turns texts that look like numbers into numbers.
    var objects: StorageValue?
    var bytes: UUID?
    var empty: Int?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_json")
  struct OfJSON {
    // Holds texts, and is declared JSON: SQLite turns texts that look like numbers into numbers.
    var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts, and is declared JSON: SQLite turns texts that look like numbers into numbers.
    var texts: StorageValue?
    var blobs: Data?
    // Holds texts, and is declared JSON: SQLite turns texts that look like numbers into numbers.
    var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts, and is declared JSON: SQLite turns texts that look like numbers into numbers.
    var objects: StorageValue?
    var bytes: UUID?
    // Has no values, and is declared JSON.
    var empty: StorageValue?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_nothing")
  struct OfNothing {
    var id: String
    var integers: Int?
    var reals: Double?
    var texts: String?
    var blobs: Data?
    @Stored(as: .dateText) var times: Date?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    @Stored(as: .json) var objects: [String]?
    var bytes: UUID?
    var empty: StorageValue?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_real")
  struct OfReal {
    // Holds texts, and is declared REAL: SQLite turns texts that look like numbers into numbers.
    var id: StorageValue
    var integers: Double?
    var reals: Double?
    // Holds texts, and is declared REAL: SQLite turns texts that look like numbers into numbers.
    var texts: StorageValue?
    var blobs: Data?
    // Holds texts, and is declared REAL: SQLite turns texts that look like numbers into numbers.
    var times: StorageValue?
    // Holds texts, and is declared REAL: SQLite turns texts that look like numbers into numbers.
    var uuids: StorageValue?
    var moments: Double?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts, and is declared REAL: SQLite turns texts that look like numbers into numbers.
    var objects: StorageValue?
    var bytes: UUID?
    var empty: Double?
    // Holds reals and texts.
    var mixed: StorageValue?
  }

  @Record("of_string")
  struct OfString {
    // Holds texts, and is declared STRING: SQLite turns texts that look like numbers into numbers.
    var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts, and is declared STRING: SQLite turns texts that look like numbers into numbers.
    var texts: StorageValue?
    var blobs: Data?
    // Holds texts, and is declared STRING: SQLite turns texts that look like numbers into numbers.
    var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts, and is declared STRING: SQLite turns texts that look like numbers into numbers.
    var objects: StorageValue?
    var bytes: UUID?
    // Has no values, and is declared STRING.
    var empty: StorageValue?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_timestamp")
  struct OfTimestamp {
    var id: String
    // Taken for seconds since 1970.
    @Stored(as: .unixSeconds) var integers: Date?
    var reals: Double?
    var texts: String?
    var blobs: Data?
    @Stored(as: .dateText) var times: Date?
    @Stored(as: .uuidText) var uuids: UUID?
    // Taken for seconds since 1970.
    @Stored(as: .unixSeconds) var moments: Date?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    @Stored(as: .json) var objects: [String]?
    var bytes: UUID?
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored(as: .dateText) var empty: Date?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_uuid")
  struct OfUUID {
    // Holds texts, and is declared UUID: SQLite turns texts that look like numbers into numbers.
    var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts, and is declared UUID: SQLite turns texts that look like numbers into numbers.
    var texts: StorageValue?
    var blobs: Data?
    // Holds texts, and is declared UUID: SQLite turns texts that look like numbers into numbers.
    var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts, and is declared UUID: SQLite turns texts that look like numbers into numbers.
    var objects: StorageValue?
    var bytes: UUID?
    // Has no values, and is declared UUID.
    var empty: StorageValue?
    // Holds integers and texts.
    var mixed: StorageValue?
  }

  @Record("of_varchar")
  struct OfVarchar {
    var id: String
    var integers: String?
    var reals: String?
    var texts: String?
    var blobs: Data?
    @Stored(as: .dateText) var times: Date?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: String?
    var referenceAt: String?
    @Stored(as: .json) var objects: [String]?
    var bytes: UUID?
    var empty: String?
    var mixed: String?
  }

  @Record("strict_any")
  struct StrictAny {
    var id: String
    // Holds blobs and integers and reals and texts.
    var value: StorageValue?
    var empty: StorageValue?
  }

  @Record("strict_blob")
  struct StrictBlob {
    var id: String
    var value: Data?
    var empty: Data?
  }

  @Record("strict_int")
  struct StrictInt {
    var id: String
    var value: Int?
    var empty: Int?
  }

  @Record("strict_integer")
  struct StrictInteger {
    var id: String
    var value: Int?
    var empty: Int?
  }

  @Record("strict_real")
  struct StrictReal {
    var id: String
    var value: Double?
    var empty: Double?
  }

  @Record("strict_text")
  struct StrictText {
    var id: String
    var value: String?
    var empty: String?
  }

  static let schema: [any StoredRecord.Type] = [OfAny.self, OfBlobsubtype.self, OfBool.self, OfCharint.self, OfDatetime.self, OfDecimal.self, OfFloatingpoint.self, OfGUID.self, OfInteger.self, OfJSON.self, OfNothing.self, OfReal.self, OfString.self, OfTimestamp.self, OfUUID.self, OfVarchar.self, StrictAny.self, StrictBlob.self, StrictInt.self, StrictInteger.self, StrictReal.self, StrictText.self]
}
