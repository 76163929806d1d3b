import Foundation
import GRDB
import SanderlingSQLite

/// Checks the rows of one table as they are moved, and adds them up, so that the rows of the new file can be compared.
///
/// The sum of a row's hash doesn't depend on the order of the rows. One hash has 64 bits. The function of SQL that calls
/// this object runs for each row, and so reads values by SQLite's C functions.
///
/// The object belongs to one connection and its queue. The connection retains it until it closes.
final class RowTally {
  /// The rows of one entity.
  struct Sum: Equatable {
    var count = 0
    var hash: UInt64 = 0
  }

  private let plan: MovePlan
  /// The rules of the plan's columns.
  let rules: [MoveRule]
  /// The sums by the UTF-8 bytes of the entity's name. A table has few entities.
  private var sums: [(name: [UInt8], sum: Sum)] = []
  /// The number of rows that didn't fit.
  private(set) var unfitCount = 0
  /// The change of the sums by a row that fits: -1 takes a row back, and 0 only checks.
  var direction = 1

  init(_ plan: MovePlan) {
    self.plan = plan
    rules = plan.columns.map(MoveRule.init)
  }

  var count: Int { sums.reduce(0) { $0 + $1.sum.count } }

  /// The sums by the entity's name; an empty name without entities.
  var byEntity: [String: Sum] {
    Dictionary(
      uniqueKeysWithValues: sums.filter { $0.sum.count > 0 }.map { (String(decoding: $0.name, as: UTF8.self), $0.sum) })
  }

  /// Registers the function on a connection, which then retains this object.
  func register(on db: Database) throws {
    try SQLFunction.register(plan.function, argumentCount: -1, on: db.sqliteConnection) { [self] context, values in
      sqlite3_result_int(context, add(values) ? 1 : 0)
    }
  }

  /// Adds a row if all of its values fit.
  private func add(_ values: SQLFunction.Arguments) -> Bool {
    var hash: UInt64 = 0
    for index in 0..<values.count {
      let (value, rule) = (values[index], rules[index])
      let type = sqlite3_value_type(value)
      // The integer, or the number of bytes.
      var size: Int64 = 0
      switch type {
      case SQLITE_NULL: hash = Self.mix(hash, 5)
      case SQLITE_INTEGER:
        size = sqlite3_value_int64(value)
        hash = Self.mix(Self.mix(hash, 1), UInt64(bitPattern: size))
      case SQLITE_FLOAT: hash = Self.mix(Self.mix(hash, 2), sqlite3_value_double(value).bitPattern)
      default:
        let bytes = type == SQLITE_TEXT ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
        let count = Int(sqlite3_value_bytes(value))
        hash = Self.mix(Self.hash(Self.mix(hash, UInt64(type)), bytes, count), UInt64(count))
        size = Int64(count)
      }
      guard rule.accepts(type, size) ?? rule.isRead(Self.value(value, type)) else {
        unfitCount += 1
        return false
      }
    }
    if direction != 0 { add(hash, plan.entity.map { values[$0] } ?? nil) }
    return true
  }

  private func add(_ hash: UInt64, _ entity: OpaquePointer?) {
    let bytes = UnsafeRawBufferPointer(
      start: entity.map { UnsafeRawPointer(sqlite3_value_text($0)) } ?? nil,
      count: entity.map { Int(sqlite3_value_bytes($0)) } ?? 0)
    var index = sums.firstIndex { $0.name.elementsEqual(bytes) } ?? -1
    if index < 0 {
      index = sums.count
      sums.append((Array(bytes), Sum()))
    }
    sums[index].sum.count += direction
    sums[index].sum.hash = direction > 0 ? sums[index].sum.hash &+ hash : sums[index].sum.hash &- hash
  }

  private static func value(_ value: OpaquePointer?, _ type: Int32) -> StorageValue {
    switch type {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      // The text is read before its length, because reading it may convert it.
      .text(
        sqlite3_value_text(value).map { text in
          String(decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
        } ?? "")
    case SQLITE_BLOB:
      .blob(sqlite3_value_blob(value).map { Data(bytes: $0, count: Int(sqlite3_value_bytes(value))) } ?? Data())
    default: .null
    }
  }

  @inline(__always)
  private static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    let product = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product >> 32)
  }

  private static func hash(_ start: UInt64, _ bytes: UnsafeRawPointer?, _ count: Int) -> UInt64 {
    guard let bytes else { return start }
    var (hash, place) = (start, 0)
    while place + 8 <= count {
      hash = mix(hash, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest: UInt64 = 0
    while place < count {
      rest = rest << 8 | UInt64(bytes.load(fromByteOffset: place, as: UInt8.self))
      place += 1
    }
    return mix(hash, rest)
  }
}
