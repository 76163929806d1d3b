// swift-format-ignore-file
// The records of OddMade.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum OddMade {
  /// Reads every stored value, and writes it back unchanged.
  enum AnyValue: ColumnCoding {
    typealias Value = StorageValue
    static var columnType: ColumnType { .blob }
    static func encode(_ value: StorageValue) -> StorageValue { value }
    static func decode(_ stored: StorageValue) -> StorageValue { stored }
  }

  @Record("of_any")
  struct OfAny {
    // Holds texts in a column declared ANY, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts in a column declared ANY, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var texts: StorageValue?
    var blobs: Data?
    // Holds texts in a column declared ANY, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts in a column declared ANY, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var objects: StorageValue?
    var bytes: UUID?
    // Has no values that show its type, and is declared ANY: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var empty: StorageValue?
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
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
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
  }

  @Record("of_bool")
  struct OfBool {
    // Holds texts in a column declared BOOL, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts in a column declared BOOL, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var texts: StorageValue?
    var blobs: Data?
    // Holds texts in a column declared BOOL, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts in a column declared BOOL, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var objects: StorageValue?
    var bytes: UUID?
    var empty: Bool?
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
  }

  @Record("of_charint")
  struct OfCharint {
    // Holds texts in a column declared CHARINT, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts in a column declared CHARINT, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var texts: StorageValue?
    var blobs: Data?
    // Holds texts in a column declared CHARINT, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var times: StorageValue?
    // Holds texts in a column declared CHARINT, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var uuids: StorageValue?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts in a column declared CHARINT, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var objects: StorageValue?
    var bytes: UUID?
    var empty: Int?
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
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
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
  }

  @Record("of_decimal")
  struct OfDecimal {
    // Holds texts in a column declared DECIMAL(10,2), where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts in a column declared DECIMAL(10,2), where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var texts: StorageValue?
    var blobs: Data?
    // Holds texts in a column declared DECIMAL(10,2), where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts in a column declared DECIMAL(10,2), where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var objects: StorageValue?
    var bytes: UUID?
    var empty: Double?
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
  }

  @Record("of_floatingpoint")
  struct OfFloatingpoint {
    // Holds texts in a column declared FLOATING POINT, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts in a column declared FLOATING POINT, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var texts: StorageValue?
    var blobs: Data?
    // Holds texts in a column declared FLOATING POINT, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var times: StorageValue?
    // Holds texts in a column declared FLOATING POINT, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var uuids: StorageValue?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts in a column declared FLOATING POINT, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var objects: StorageValue?
    var bytes: UUID?
    var empty: Int?
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
  }

  @Record("of_guid")
  struct OfGuid {
    // Holds texts in a column declared GUID, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts in a column declared GUID, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var texts: StorageValue?
    var blobs: Data?
    // Holds texts in a column declared GUID, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts in a column declared GUID, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var objects: StorageValue?
    var bytes: UUID?
    // Has no values that show its type, and is declared GUID: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var empty: StorageValue?
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
  }

  @Record("of_integer")
  struct OfInteger {
    var id: Int64?
    var integers: Int?
    var reals: Double?
    // Holds texts in a column declared INTEGER, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var texts: StorageValue?
    var blobs: Data?
    // Holds texts in a column declared INTEGER, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var times: StorageValue?
    // Holds texts in a column declared INTEGER, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var uuids: StorageValue?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts in a column declared INTEGER, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var objects: StorageValue?
    var bytes: UUID?
    var empty: Int?
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
  }

  @Record("of_json")
  struct OfJson {
    // Holds texts in a column declared JSON, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts in a column declared JSON, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var texts: StorageValue?
    var blobs: Data?
    // Holds texts in a column declared JSON, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts in a column declared JSON, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var objects: StorageValue?
    var bytes: UUID?
    // Has no values that show its type, and is declared JSON: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var empty: StorageValue?
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
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
    var empty: Data?
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
  }

  @Record("of_real")
  struct OfReal {
    // Holds texts in a column declared REAL, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var id: StorageValue
    var integers: Double?
    var reals: Double?
    // Holds texts in a column declared REAL, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var texts: StorageValue?
    var blobs: Data?
    // Holds texts in a column declared REAL, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var times: StorageValue?
    // Holds texts in a column declared REAL, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var uuids: StorageValue?
    var moments: Double?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts in a column declared REAL, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var objects: StorageValue?
    var bytes: UUID?
    var empty: Double?
    // Holds reals and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
  }

  @Record("of_string")
  struct OfString {
    // Holds texts in a column declared STRING, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts in a column declared STRING, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var texts: StorageValue?
    var blobs: Data?
    // Holds texts in a column declared STRING, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts in a column declared STRING, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var objects: StorageValue?
    var bytes: UUID?
    // Has no values that show its type, and is declared STRING: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var empty: StorageValue?
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
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
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
  }

  @Record("of_uuid")
  struct OfUuid {
    // Holds texts in a column declared UUID, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var id: StorageValue
    var integers: Int?
    var reals: Double?
    // Holds texts in a column declared UUID, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var texts: StorageValue?
    var blobs: Data?
    // Holds texts in a column declared UUID, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var times: StorageValue?
    @Stored(as: .uuidText) var uuids: UUID?
    var moments: Int?
    // Taken for seconds since 2001.
    var referenceAt: Date?
    // Holds texts in a column declared UUID, where SQLite turns texts that look like numbers into numbers: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var objects: StorageValue?
    var bytes: UUID?
    // Has no values that show its type, and is declared UUID: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var empty: StorageValue?
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
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
    // Holds blobs and integers and reals and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var value: StorageValue?
    // Has no values that show its type, and is declared ANY: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var empty: StorageValue?
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

  static let schema: [any StoredRecord.Type] = [OfAny.self, OfBlobsubtype.self, OfBool.self, OfCharint.self, OfDatetime.self, OfDecimal.self, OfFloatingpoint.self, OfGuid.self, OfInteger.self, OfJson.self, OfNothing.self, OfReal.self, OfString.self, OfTimestamp.self, OfUuid.self, OfVarchar.self, StrictAny.self, StrictBlob.self, StrictInt.self, StrictInteger.self, StrictReal.self, StrictText.self]
}
